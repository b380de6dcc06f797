// supabase-js as published, set up as a program on Node would.
import { createClient as create } from '@supabase/supabase-js'
import WebSocket from 'ws'

/** A client without storage, so that the sessions of two people stay apart. */
export const createClient = (url, key, { auth, ...options } = {}) =>
  create(url, key, {
    auth: { persistSession: false, autoRefreshToken: false, ...auth },
    // Node before version 22 has no built-in WebSocket.
    realtime: { transport: WebSocket },
    ...options,
  })
