const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Whether a text is an id; slugs never look like one. */
export const isUuid = (word: string): boolean => UUID.test(word)
