/**
 * Restricts the style sheets to the names in `styles/tokens.css`, `styles/parts.css` and
 * `styles/media.css`.
 */
import { readFileSync } from 'node:fs'
import stylelint from 'stylelint'

const styles = new URL('./src/styles/', import.meta.url)
const PARTS = new Set(
  [...readFileSync(new URL('parts.css', styles), 'utf8').matchAll(/^\.(part-[\w-]+)/gm)].map(([, name]) => name),
)

/** A token, an expression of tokens, or a keyword. */
const ALLOWED = [
  '/^var\\(--/',
  '/^calc\\(.*var\\(--/',
  '/^color-mix\\(in srgb, (var\\(--|currentColor)/',
  'inherit',
  'currentColor',
  'transparent',
  'none',
  '0',
]
/** Corners with different radii. */
const CORNERS = '/^((0|var\\(--radius-\\w+\\)|calc\\(var\\(--radius-\\w+\\) - [\\d.]+px\\)) ?)+$/'

export default {
  plugins: ['stylelint-declaration-strict-value', knownParts()],
  reportNeedlessDisables: true,
  rules: {
    'scale-unlimited/declaration-strict-value': [
      ['/color$/', 'fill', 'stroke', 'z-index', 'font-size', '/radius$/', 'font-family'],
      {
        ignoreFunctions: false,
        ignoreValues: {
          '': ALLOWED,
          // Stacking within one component, which affects no other.
          'z-index': ['-1', '0', '1'],
          '/radius$/': [CORNERS, 'inherit'],
        },
      },
    ],
    // Colors inside gradients, shadows and borders, which the rule above does not check.
    'color-no-hex': true,
    'color-named': 'never',
    'function-disallowed-list': ['rgb', 'rgba', 'hsl', 'hsla', 'oklch', 'light-dark'],
    'media-feature-name-disallowed-list': ['width', 'min-width', 'max-width'],
    'palmares/known-parts': true,

    'block-no-empty': true,
    'declaration-block-no-duplicate-properties': true,
    'declaration-block-no-shorthand-property-overrides': true,
    'font-family-no-duplicate-names': true,
    'function-calc-no-unspaced-operator': true,
    'no-duplicate-selectors': true,
    'property-no-unknown': [true, { ignoreProperties: ['composes'] }],
    'selector-pseudo-class-no-unknown': true,
    'selector-pseudo-element-no-unknown': true,
    'unit-no-unknown': true,
  },
  overrides: [
    {
      files: ['src/styles/tokens.css', 'src/styles/{fonts,display-font}.css'],
      rules: {
        'scale-unlimited/declaration-strict-value': null,
        'color-no-hex': null,
        'function-disallowed-list': null,
      },
    },
    { files: ['src/styles/media.css'], rules: { 'media-feature-name-disallowed-list': null } },
  ],
}

/** A class composed from the global sheet must exist there: an unknown name is silently ignored. */
function knownParts() {
  const ruleName = 'palmares/known-parts'
  const rule = () => (root, result) =>
    root.walkDecls('composes', (declaration) => {
      const [, names] = /^(.+) from global$/.exec(declaration.value) ?? []
      for (const word of names?.split(/\s+/) ?? [])
        if (!PARTS.has(word))
          stylelint.utils.report({
            ruleName,
            result,
            node: declaration,
            word,
            message: `styles/parts.css has no ${word}`,
          })
    })
  return stylelint.createPlugin(ruleName, Object.assign(rule, { ruleName, messages: {}, meta: {} }))
}
