/** Characters a password of an operator has at least; the server holds it. */
export const PASSWORD_LENGTH = 12
