import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { sessionQuery, signOut } from '@/api/session'

/** Ends the session and clears the cache. */
export function useSignOut() {
  const client = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: signOut,
    onSuccess: async () => {
      await navigate('/login')
      client.clear()
      client.setQueryData(sessionQuery.queryKey, null)
    },
  })
}
