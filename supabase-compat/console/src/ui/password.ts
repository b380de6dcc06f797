/** The minimum length of an operator's password; the server enforces it. */
export const PASSWORD_LENGTH = 12
