/** Line icons on a 24-unit square, drawn with the text's colour. Decorative: the name stands in the text beside it. */
const shapes = {
  'arrow-left': 'M19 12H5m6-6-6 6 6 6',
  'arrow-right': 'M5 12h14m-6-6 6 6-6 6',
  'arrow-up': 'M12 19V5m-6 6 6-6 6 6',
  bell: 'M6 9a6 6 0 0 1 12 0c0 6 2 7 2 7H4s2-1 2-7m4 11a2.2 2.2 0 0 0 4 0',
  calendar: 'M8 3v4m8-4v4M4 10h16M6 5h12a2 2 0 0 1 2 2v11a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2z',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  'chevron-down': 'm6 9 6 6 6-6',
  'chevron-left': 'm15 6-6 6 6 6',
  'chevron-right': 'm9 6 6 6-6 6',
  clock: 'M12 7v5l3 2m6-2a9 9 0 1 1-18 0 9 9 0 0 1 18 0z',
  close: 'M6 6l12 12M18 6 6 18',
  code: 'm8 8-4 4 4 4m8-8 4 4-4 4m-3-11-4 14',
  copy: 'M9 9h9a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2h-7a2 2 0 0 1-2-2zM5 15a2 2 0 0 1-1-1.7V6a2 2 0 0 1 2-2h7.3A2 2 0 0 1 15 5',
  crown: 'M4 18h16M4.5 15 3 7l5 3.5L12 5l4 5.5L21 7l-1.5 8z',
  discord:
    'M8 17c-3 0-4.5-2-4.5-2s0-5 2.5-9c2-1.3 3.5-1.3 3.5-1.3l.5 1.3h4l.5-1.3s1.5 0 3.5 1.3c2.5 4 2.5 9 2.5 9S19 17 16 17l-1-1.8H9zM9.5 11.5v.5m5-.5v.5',
  external: 'M14 4h6v6m0-6-9 9m7 2v3a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V8a2 2 0 0 1 2-2h3',
  filter: 'M4 6h16M7 12h10m-7 6h4',
  flag: 'M5 21V4h12l-2 4 2 4H5',
  flame:
    'M12 21c-4 0-6.5-2.7-6.5-6.3C5.5 10 10 8.5 10.5 3c4 2 5 5 4.8 7.5.9-.4 1.5-1.2 1.7-2 1.2 1.5 1.5 3.5 1.5 5.5 0 4-2.5 7-6.5 7z',
  games:
    'M7 8h10a4 4 0 0 1 4 4l.5 4.2a2.3 2.3 0 0 1-4 1.7L15.5 16h-7l-2 1.9a2.3 2.3 0 0 1-4-1.7L3 12a4 4 0 0 1 4-4zm1 2.5v3M6.5 12h3m6-.5h.01m2 1.5h.01',
  globe:
    'M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0zM3.5 9h17m-17 6h17M12 3c2.5 2.5 3.5 5.5 3.5 9s-1 6.5-3.5 9c-2.5-2.5-3.5-5.5-3.5-9S9.5 5.5 12 3z',
  heart: 'M12 20s-7.5-4.5-7.5-10A4.2 4.2 0 0 1 12 7.5 4.2 4.2 0 0 1 19.5 10C19.5 15.5 12 20 12 20z',
  home: 'm4 11 8-7 8 7v8a1 1 0 0 1-1 1h-4v-6H9v6H5a1 1 0 0 1-1-1z',
  info: 'M12 11v5m0-8.5v.01M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0z',
  link: 'M10 14a4 4 0 0 0 6 .4l3-3A4 4 0 0 0 13.3 5.7L12 7m2 3a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7L12 17',
  logout: 'M9 20H6a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2h3m7 12 4-4-4-4m4 4H9',
  menu: 'M4 7h16M4 12h16M4 17h16',
  moon: 'M20 14.5A8 8 0 0 1 9.5 4a8 8 0 1 0 10.5 10.5z',
  mouse: 'm5 4 6 16 2.2-6.8L20 11z',
  pause: 'M9 6v12m6-12v12',
  plus: 'M12 5v14m-7-7h14',
  refresh: 'M20 11a8 8 0 0 0-14.5-4L4 9m0-5v5h5m-5 4a8 8 0 0 0 14.5 4l1.5-2m0 5v-5h-5',
  search: 'm20 20-4.3-4.3M18 11a7 7 0 1 1-14 0 7 7 0 0 1 14 0z',
  server:
    'M5 4h14a1 1 0 0 1 1 1v5a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1zm0 9h14a1 1 0 0 1 1 1v5a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1v-5a1 1 0 0 1 1-1zm2.5-5.5h.01m-.01 9h.01',
  shield: 'M12 3 5 6v5.5c0 4.5 3 7.5 7 9.5 4-2 7-5 7-9.5V6zm-3 9 2.2 2.2L15.5 10',
  sparkles: 'M11 4l1.7 5.3L18 11l-5.3 1.7L11 18l-1.7-5.3L4 11l5.3-1.7zm7.5 11v4m-2-2h4',
  star: 'm12 4 2.5 5.2 5.5.8-4 4 1 5.7-5-2.7-5 2.7 1-5.7-4-4 5.5-.8z',
  sun: 'M12 3v1.5m0 15V21m9-9h-1.5m-15 0H3m15.4-6.4-1.1 1.1M6.7 17.3l-1.1 1.1m0-12.8 1.1 1.1m10.6 10.6 1.1 1.1M16 12a4 4 0 1 1-8 0 4 4 0 0 1 8 0z',
  tag: 'M4 4h7.5l8.5 8.5-7.5 7.5L4 11.5zm4 4h.01',
  trophy: 'M8 4h8v6a4 4 0 0 1-8 0zm0 2H4.5v1.5A3.5 3.5 0 0 0 8 11m8-5h3.5v1.5A3.5 3.5 0 0 1 16 11m-4 3v4m-4 2h8m-6-2h4',
  user: 'M4.5 20c.5-4 3.5-6 7.5-6s7 2 7.5 6M16 7.5a4 4 0 1 1-8 0 4 4 0 0 1 8 0z',
  users:
    'M3 19.5c.4-3.5 2.8-5.2 6-5.2s5.6 1.7 6 5.2M12.5 8a3.5 3.5 0 1 1-7 0 3.5 3.5 0 0 1 7 0zm3-3.3a3.5 3.5 0 0 1 0 6.6m2.5 3.5c1.7.8 2.7 2.4 3 4.7',
  warning: 'M12 9.5v4m0 3v.01M10.3 4.5 3 17.5A1.7 1.7 0 0 0 4.5 20h15a1.7 1.7 0 0 0 1.5-2.5l-7.3-13a2 2 0 0 0-3.4 0z',
} as const

export type IconName = keyof typeof shapes

export function Icon({ name, size = 20, filled = false }: { name: IconName; size?: number; filled?: boolean }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill={filled ? 'currentColor' : 'none'}
      stroke="currentColor"
      strokeWidth={1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
      style={{ flex: 'none' }}
    >
      <path d={shapes[name]} />
    </svg>
  )
}
