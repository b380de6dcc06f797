/** Small drawings for pages that have nothing else to show: a podium and what became of it. */
const scenes = {
  /** Nobody stands on the podium yet. */
  empty: (
    <>
      <path d="M52 92V58h32v34M20 92V70h32M84 74h32v18" />
      <path d="M68 20v10m-14-6 6 8m22-8-6 8" strokeOpacity={0.6} />
      <path d="M63 70h10" stroke="var(--gold)" />
    </>
  ),
  /** The cable is out. */
  failed: (
    <>
      <path d="M12 60h30c6 0 10-4 10-10V38m72 22H94c-6 0-10 4-10 10v12" />
      <path d="M46 26v12h12V26M78 82v12h12V82" transform="translate(0 -2)" />
      <path d="m66 46 6 8-8 4 6 8" stroke="var(--gold)" />
    </>
  ),
  /** A level that does not exist. */
  lost: (
    <>
      <path d="M24 34h88a12 12 0 0 1 12 12v28a12 12 0 0 1-12 12H24a12 12 0 0 1-12-12V46a12 12 0 0 1 12-12z" />
      <path d="M34 52v16m-8-8h16" />
      <path d="M90 66h.01M104 56h.01" stroke="var(--gold)" strokeWidth={6} />
      <path d="M62 70c3-5 9-5 12 0M62 54h.01M74 54h.01" />
    </>
  ),
  /** A door that wants a key. */
  locked: (
    <>
      <path d="M36 46h64a8 8 0 0 1 8 8v34a8 8 0 0 1-8 8H36a8 8 0 0 1-8-8V54a8 8 0 0 1 8-8z" />
      <path d="M48 46V32a20 20 0 0 1 40 0v14" strokeOpacity={0.7} />
      <path d="M68 64a5 5 0 1 0 .01 0M68 74v8" stroke="var(--gold)" />
    </>
  ),
  /** A machine being built. */
  soon: (
    <>
      <path d="M44 20h48a6 6 0 0 1 6 6v66H38V26a6 6 0 0 1 6-6z" />
      <path d="M46 30h44v22H46zM38 92h60" />
      <path d="M60 66h.01M76 66h16" strokeOpacity={0.7} />
      <path d="m58 41 6 5 12-10" stroke="var(--gold)" />
    </>
  ),
} as const

export type DrawingName = keyof typeof scenes

export function Drawing({ name, className }: { name: DrawingName; className?: string | undefined }) {
  return (
    <svg
      viewBox="0 0 136 104"
      fill="none"
      stroke="currentColor"
      strokeWidth={2.5}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className={className}
    >
      {scenes[name]}
    </svg>
  )
}
