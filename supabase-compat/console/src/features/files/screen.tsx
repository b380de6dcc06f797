/** Buckets, and the content of one: `/files`, `/files/BUCKET/FOLDER/FOLDER`. */
import { useParams } from 'react-router'
import { BucketList } from './bucket-list'
import { Folder } from './folder'
import { UploadPanel } from './uploads'

export function Screen() {
  const [bucket = '', ...folders] = (useParams()['*'] ?? '').split('/').filter((part) => part !== '')
  const folder = folders.join('/')
  return (
    <>
      {bucket === '' ? <BucketList /> : <Folder key={`${bucket}/${folder}`} bucket={bucket} folder={folder} />}
      <UploadPanel />
    </>
  )
}
