import { describe, expect, test } from 'vitest'
import { keepsEmpty, mappedColumns, missingColumns, problemsOf, proposeMapping } from './csv'
import { openCsv, scanCsv } from './csv-file'
import { column } from './test-relation'

const columns = [
  column('id', 'bigint', { identity: 'd' }),
  column('full_name', 'text'),
  column('born', 'date', { nullable: true }),
  column('slug', 'text', { generated: true }),
]

describe('files', () => {
  test('headings are mapped to columns', () => {
    expect(proposeMapping(['Full Name', 'ID', 'slug', 'other', 'fullname'], columns)).toEqual([
      'full_name',
      'id',
      null,
      null,
      null,
    ])
    expect(missingColumns(['id'], columns)).toEqual(['full_name'])
  })

  test('empty cells are null where null is allowed', () => {
    expect(mappedColumns(['full_name', null, 'born'], columns).map(({ name }) => name)).toEqual(['full_name', 'born'])
    expect(columns.filter(keepsEmpty).map(({ name }) => name)).toEqual(['full_name', 'slug'])
  })

  test('problems of cells name the column', () => {
    const byName = new Map(columns.map((one) => [one.name, one]))
    const mapping = ['id', null, 'born']
    expect(problemsOf(['x', 'b', ''], mapping, byName)).toEqual([{ column: 'id', problem: 'integer' }])
    expect(problemsOf(['1'], mapping, byName)).toEqual([])
    expect(problemsOf(['1', '', '', ''], mapping, byName)).toEqual([])
    expect(problemsOf(['1', '', '', 'more'], mapping, byName)).toEqual([{ problem: 'cells' }])
  })
})

/** A file that is read in pieces of `size` bytes. */
function fileOf(text: string, size: number): File {
  const bytes = new TextEncoder().encode(text)
  const file = new File([bytes], 'songs.csv')
  const stream = () =>
    new ReadableStream({
      start(controller) {
        for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size))
        controller.close()
      },
    })
  return Object.assign(file, { stream, slice: () => ({ text: () => Promise.resolve(text) }) }) as File
}

describe('files read in chunks', () => {
  const text = 'Full Name;ID;born\r\n"é;""a""\r\nb";1;\r\n\r\n ; ;\r\nb;x;soon\r\nc;2'
  const scan = async (source: string, size: number) => {
    const csv = await openCsv(fileOf(source, size))
    if ('problem' in csv) throw new Error('not opened')
    const mapping = proposeMapping(csv.headings, columns)
    return scanCsv(csv, mapping, columns, { signal: new AbortController().signal, onProgress: () => undefined })
  }

  test('preview contains the headings and first rows', async () => {
    const csv = await openCsv(fileOf(text, 7))
    expect(csv).toMatchObject({ delimiter: ';', headings: ['Full Name', 'ID', 'born'] })
    expect('preview' in csv && csv.preview.slice(0, 2)).toEqual([
      ['é;"a"\r\nb', '1', ''],
      ['b', 'x', 'soon'],
    ])
    expect(await openCsv(fileOf('only,a,heading\n', 9))).toEqual({ problem: 'empty' })
  })

  test('line numbers are correct with each chunk size', async () => {
    for (const size of [1, 3, 8, 1000])
      expect(await scan(text, size)).toEqual({
        rows: 3,
        problems: [
          { row: 2, line: 6, column: 'id', problem: 'integer' },
          { row: 2, line: 6, column: 'born', problem: 'date' },
        ],
      })
  })

  test('unclosed quotation mark is reported with its line', async () => {
    await expect(scan('full_name,id\na,1\n"b,2\nc,3\n', 4)).rejects.toMatchObject({ line: 3 })
  })
})
