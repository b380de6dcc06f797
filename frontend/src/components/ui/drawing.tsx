/** Small drawings for pages without other content: variations of a podium. */
const scenes = {
  /** An empty podium. */
  empty: (
    <>
      <path d="M52 92V58h32v34M20 92V70h32M84 74h32v18" />
      <path d="M68 20v10m-14-6 6 8m22-8-6 8" strokeOpacity={0.6} />
      <path d="M63 70h10" stroke="var(--gold)" />
    </>
  ),
  /** An unplugged cable. */
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
      <path d="M38 30h60c17 0 26 14 26 36 0 14-5 22-13 22-9 0-13-14-23-14H48c-10 0-14 14-23 14-8 0-13-8-13-22 0-22 9-36 26-36z" />
      <path d="M38 44v14m-7-7h14" />
      <path d="M93 57h.01M104 49h.01" stroke="var(--gold)" strokeWidth={6} />
      <path d="M62 62c3-5 9-5 12 0" />
      <path d="M62 48h.01M74 48h.01" strokeWidth={4} />
      <path d="M68 30V20m0-8h.01" strokeOpacity={0.6} />
    </>
  ),
  /** A locked door. */
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
