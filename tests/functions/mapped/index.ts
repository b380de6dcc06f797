import { corsHeaders } from "@shared/cors.ts"
import { WORD } from "words"

export default {
  fetch: () => Response.json({ word: WORD, origin: corsHeaders["Access-Control-Allow-Origin"] }),
}
