// The wheel on a system that has only Python. A part of `just dist test`.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'

import { MACHINES, PROGRAMS, commandOutput, isVersion, machine, root, version } from '../programs.mjs'
import { binariesOnTrial, pythonFolder, scratchFolder } from '../testing.mjs'

const scratch = scratchFolder(after)
const folder = binariesOnTrial()[machine()]

for (const program of Object.keys(PROGRAMS)) {
  test(`${program} is installed by pip and starts`, () => {
    const venv = join(scratch, `${program}-venv`)
    const licences = join(scratch, 'THIRD-PARTY.txt')
    writeFileSync(licences, 'licences\n')
    const args = [program, join(folder, program), MACHINES[machine()].wheel, version(), PROGRAMS[program].summary, scratch, licences]
    const wheel = execFileSync('python3', [join(root, 'packaging/wheel/make_wheel.py'), ...args], { encoding: 'utf8' }).trim()
    execFileSync('python3', ['-m', 'venv', venv])
    execFileSync(join(venv, 'bin/pip'), ['install', '--quiet', '--no-index', '--disable-pip-version-check', wheel])
    const output = execFileSync(join(venv, 'bin', program), ['--version'], { encoding: 'utf8' })
    assert.ok(isVersion(output, program), output)
    const shown = execFileSync(join(venv, 'bin/pip'), ['show', '--files', program], { encoding: 'utf8' })
    assert.match(shown, /License-Expression|THIRD-PARTY\.txt/)
    // Every file is as RECORD has it.
    const checked = execFileSync(join(venv, 'bin/python'), ['-c', `import importlib.metadata as m; print(all(f.hash is None or f.locate().exists() for f in m.files("${program}")))`], { encoding: 'utf8' })
    assert.equal(checked.trim(), 'True')
  })
}

test('wheels pass the strict check of twine', (context) => {
  const folder = pythonFolder('twine', 'twine')
  if (!folder) return context.skip('twine cannot be had')
  const wheels = commandOutput('sh', ['-c', `ls ${scratch}/*.whl`]).trim().split('\n')
  const output = execFileSync(join(folder, 'twine'), ['check', '--strict', ...wheels], { encoding: 'utf8' })
  assert.match(output, /PASSED/)
})
