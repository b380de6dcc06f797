/**
 * The theme: dark ink, one violet, a plain and a monospaced typeface. Every screen takes its colors
 * from here.
 */
import {
  createTheme,
  defaultVariantColorsResolver,
  type CSSVariablesResolver,
  type VariantColorsResolver,
} from '@mantine/core'

/** Light variants whose text is readable in both schemes. */
const variantColors: VariantColorsResolver = (input) => {
  const colors = defaultVariantColorsResolver(input)
  if (input.variant === 'light' && input.color)
    return {
      ...colors,
      color: `light-dark(color-mix(in srgb, var(--mantine-color-${input.color}-9), black 35%), var(--mantine-color-${input.color}-2))`,
    }
  if (input.variant === 'outline' && input.color === 'gray')
    return { ...colors, color: 'var(--mantine-color-dimmed)', border: '1px solid var(--mantine-color-default-border)' }
  return colors
}

export const theme = createTheme({
  variantColorResolver: variantColors,
  components: {
    Badge: { defaultProps: { tt: 'none', fw: 500, fz: 'xs', lts: 0, radius: 'sm' } },
  },
  primaryColor: 'violet',
  // The sixth shade is the first on which white is readable.
  primaryShade: { light: 6, dark: 6 },
  colors: {
    violet: [
      '#f5f3ff',
      '#ede9fe',
      '#ddd6fe',
      '#c4b5fd',
      '#a78bfa',
      '#8b5cf6',
      '#7c3aed',
      '#6d28d9',
      '#5b21b6',
      '#4c1d95',
    ],
    // White is readable on the seventh shade.
    red: ['#fff0f0', '#ffe0e0', '#ffc9c9', '#ffa3a3', '#ff8787', '#f05252', '#d42a2a', '#c02424', '#a61f1f', '#8c1a1a'],
    dark: [
      '#dcdde8',
      '#b9bbcc',
      '#9a9cb3',
      '#6f718b',
      '#35374d',
      '#292b3f',
      '#1b1c2a',
      '#11111b',
      '#0c0c14',
      '#07070c',
    ],
  },
  fontFamily: "'Geist Variable', system-ui, sans-serif",
  fontFamilyMonospace: "'Geist Mono Variable', ui-monospace, monospace",
  headings: { fontFamily: "'Geist Variable', system-ui, sans-serif", fontWeight: '600' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
})

export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#fbfbfd',
    '--mantine-color-text': '#1c1d2b',
    '--mantine-color-dimmed': '#5d6077',
    '--mantine-color-placeholder': '#6b6e85',
    '--mantine-color-default-border': '#dfe0ea',
    '--mantine-color-anchor': '#6d28d9',
    '--mantine-color-error': '#c92a2a',
    '--console-surface': '#ffffff',
    '--console-sunken': '#f3f3f8',
    '--console-border': '#e5e6ee',
    '--console-hover': '#f1f0f8',
    '--console-selected': '#ede9fe',
    '--console-good': '#18794e',
    '--console-warning': '#8f5a00',
    '--console-bad': '#c92a2a',
    '--console-accent': '#6d28d9',
    '--console-skeleton': '#e9eaf2',
  },
  dark: {
    '--mantine-color-dimmed': '#9a9cb3',
    '--mantine-color-placeholder': '#8486a0',
    '--mantine-color-anchor': '#b9a5fd',
    '--mantine-color-error': '#ff8787',
    '--console-surface': '#171824',
    '--console-sunken': '#0c0c14',
    '--console-border': '#272939',
    '--console-hover': '#1e1f2e',
    '--console-selected': '#2a2148',
    '--console-good': '#5bd6a0',
    '--console-warning': '#f2b84b',
    '--console-bad': '#ff8787',
    '--console-accent': '#b9a5fd',
    '--console-skeleton': '#1f2030',
  },
})
