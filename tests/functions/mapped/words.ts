export const WORD = "mapped"
