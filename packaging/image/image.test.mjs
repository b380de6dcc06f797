// The image: its configuration, and that it serves as an unprivileged account on a read-only root. A part of
// `just dist test`, for root with mmdebstrap and buildah.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'

import { PROGRAMS, root, version } from '../programs.mjs'
import { arePortable, binariesOnTrial, has, isRoot, pythonFolder, scratchFolder } from '../testing.mjs'
import { startContained } from './contained.mjs'
import { makeImages } from './make.mjs'

const possible = isRoot && has('mmdebstrap') && has('buildah')
const scratch = scratchFolder(after)
const program = 'palmares'

describe('the image', { skip: possible ? false : 'only root makes images, by mmdebstrap and buildah', concurrency: 1 }, () => {
  let contained

  before(() => {
    const [archive] = makeImages(binariesOnTrial(), { programs: [program], into: join(scratch, 'images'), isDevelopment: !arePortable() })
    console.log(`${(statSync(archive).size / 1e6).toFixed(0)} MB as an archive`)
    contained = startContained(archive, join(scratch, 'layout'), join(scratch, 'volume'))
  })

  test('declares its account, port, folder and command', () => {
    assert.equal(contained.config.User, '10001:10001')
    assert.deepEqual(contained.config.Entrypoint, [`/usr/bin/${program}`])
    assert.deepEqual(contained.config.Cmd, ['serve'])
    assert.deepEqual(Object.keys(contained.config.Volumes), [`/var/lib/${program}`])
    assert.equal(contained.config.Labels['org.opencontainers.image.version'], version())
  })

  test('runs unprivileged on a read-only root', async () => {
    const [, url] = await contained.server.line(/^ready (\S+)$/m)
    try {
      assert.equal((await fetch(`${url}/auth/v1/health`)).status, 200)
      const { code, output } = contained.exec([`/usr/bin/${program}`, 'health'])
      assert.equal(code, 0, output)
      assert.equal(statSync(join(scratch, 'volume/keys.json')).uid, 10001)
      assert.match(contained.exec(['/usr/bin/touch', '/usr/bin/x'], '0:0').output, /Read-only file system/)
    } finally {
      assert.equal(await contained.stop(), 0)
    }
  })
})

/** Reads the chart as Helm does, complains as `helm lint` does, and prints the objects of `helm template` as JSON. */
const RENDER = `
import json, sys, yaml, helm_python as helm
chart, values = sys.argv[1], json.loads(sys.argv[2])
print(helm.lint(chart, values, strict=True), file=sys.stderr)
files = helm.Chart.load(chart).render(values, name="site")
print(json.dumps([one for text in files.values() for one in yaml.safe_load_all(text) if one]))
`

describe('the deployment files of the image', () => {
  test('include a compose file that podman-compose reads', (context) => {
    const folder = has('podman') && pythonFolder('compose', 'podman-compose==1.5.0')
    if (!folder) return context.skip('podman and podman-compose cannot be had')
    const file = join(root, 'packaging/image/compose.yaml')
    const output = execFileSync(join(folder, 'podman-compose'), ['-f', file, 'config'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    assert.match(output, /read_only: true/)
    assert.match(output, /- \/usr\/bin\/palmares\n\s+- health/)
  })

  test('include a chart for both programs', (context) => {
    const folder = pythonFolder('helm', 'helm-python-sdk', 'pyyaml')
    if (!folder) return context.skip('helm-python-sdk cannot be had')
    for (const name of Object.keys(PROGRAMS)) {
      const values = JSON.stringify({ program: name, secret: 'site', settings: { COMPAT_ENVIRONMENT: 'production' } })
      const objects = JSON.parse(execFileSync(join(folder, 'python'), ['-c', RENDER, join(root, 'packaging/image/chart'), values], { encoding: 'utf8' }))
      assert.deepEqual(objects.map(({ kind }) => kind).sort(), ['Service', 'StatefulSet'])
      const [container] = objects.find(({ kind }) => kind === 'StatefulSet').spec.template.spec.containers
      assert.deepEqual(container.startupProbe.exec.command, [`/usr/bin/${name}`, 'health'])
      assert.equal(container.image.split(':').at(-1), version())
      assert.deepEqual(container.env.at(-1), { name: 'COMPAT_ENVIRONMENT', value: 'production' })
      assert.equal(container.envFrom[0].secretRef.name, 'site')
    }
  })
})
