"""Every operation of the S3 API, by boto3 as published. Prints `ok` at the end, or fails with a traceback.

Arguments: endpoint, access key, secret, project, anon key, token of a user.
"""

import io
import sys
import urllib.request

import boto3
from boto3.s3.transfer import TransferConfig
from botocore.config import Config
from botocore.exceptions import ClientError

endpoint, key, secret, project, anon, token = sys.argv[1:7]
MIB = 1024 * 1024


def client(key, secret, token=None, **config):
    return boto3.client(
        "s3",
        endpoint_url=endpoint,
        aws_access_key_id=key,
        aws_secret_access_key=secret,
        aws_session_token=token,
        region_name="local",
        config=Config(s3={"addressing_style": "path"}, retries={"max_attempts": 1}, **config),
    )


s3 = client(key, secret)


def refused(code, status, call, **arguments):
    try:
        call(**arguments)
    except ClientError as error:
        told = error.response["Error"]["Code"], error.response["ResponseMetadata"]["HTTPStatusCode"]
        assert told == (code, status), told
    else:
        raise AssertionError(f"{code} was expected")


def fetch(address, method="GET", data=None, headers=None):
    request = urllib.request.Request(address, data=data, method=method, headers=headers or {})
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def buckets():
    s3.create_bucket(Bucket="first", CreateBucketConfiguration={"LocationConstraint": "local"})
    s3.create_bucket(Bucket="second")
    refused("BucketAlreadyExists", 409, s3.create_bucket, Bucket="first")
    names = [bucket["Name"] for bucket in s3.list_buckets()["Buckets"]]
    assert names == ["first", "second"], names
    assert s3.head_bucket(Bucket="first")["ResponseMetadata"]["HTTPStatusCode"] == 200
    refused("404", 404, s3.head_bucket, Bucket="none")
    assert "LocationConstraint" in s3.get_bucket_location(Bucket="first")
    assert "Status" not in s3.get_bucket_versioning(Bucket="first")
    s3.delete_bucket(Bucket="second")
    refused("NoSuchBucket", 404, s3.delete_bucket, Bucket="second")


def objects():
    put = s3.put_object(
        Bucket="first",
        Key="a b/+e.txt",
        Body=b"hello",
        ContentType="text/plain",
        CacheControl="max-age=60",
        Metadata={"color": "red"},
    )
    got = s3.get_object(Bucket="first", Key="a b/+e.txt")
    assert got["Body"].read() == b"hello"
    assert got["ContentType"] == "text/plain" and got["CacheControl"] == "max-age=60"
    assert got["Metadata"] == {"color": "red"} and got["ETag"] == put["ETag"]
    part = s3.get_object(Bucket="first", Key="a b/+e.txt", Range="bytes=1-3")
    assert part["Body"].read() == b"ell" and part["ContentRange"] == "bytes 1-3/5"
    refused("InvalidRange", 416, s3.get_object, Bucket="first", Key="a b/+e.txt", Range="bytes=9-")
    refused("304", 304, s3.get_object, Bucket="first", Key="a b/+e.txt", IfNoneMatch=put["ETag"])
    refused("PreconditionFailed", 412, s3.get_object, Bucket="first", Key="a b/+e.txt", IfMatch='"x"')
    head = s3.head_object(Bucket="first", Key="a b/+e.txt")
    assert head["ContentLength"] == 5 and head["ETag"] == put["ETag"]
    refused("404", 404, s3.head_object, Bucket="first", Key="none")
    refused("NoSuchKey", 404, s3.get_object, Bucket="first", Key="none")
    refused("NoSuchBucket", 404, s3.get_object, Bucket="none", Key="none")
    refused("PreconditionFailed", 412, s3.put_object, Bucket="first", Key="a b/+e.txt", Body=b"", IfNoneMatch="*")
    assert s3.get_object_tagging(Bucket="first", Key="a b/+e.txt")["TagSet"] == []
    for checksum in ["CRC32", "SHA1", "SHA256"]:
        s3.put_object(Bucket="first", Key="sum", Body=b"summed", ChecksumAlgorithm=checksum)
    refused("NotImplemented", 501, s3.put_object_acl, Bucket="first", Key="sum", ACL="private")


def copies():
    source = {"Bucket": "first", "Key": "a b/+e.txt"}
    s3.copy_object(Bucket="first", Key="copy", CopySource=source)
    assert s3.head_object(Bucket="first", Key="copy")["Metadata"] == {"color": "red"}
    s3.copy_object(
        Bucket="first",
        Key="copy",
        CopySource=source,
        MetadataDirective="REPLACE",
        ContentType="text/csv",
        Metadata={"color": "blue"},
    )
    head = s3.head_object(Bucket="first", Key="copy")
    assert head["Metadata"] == {"color": "blue"} and head["ContentType"] == "text/csv"
    refused("InvalidRequest", 400, s3.copy_object, Bucket="first", Key="copy", CopySource="first/copy")
    refused("NoSuchKey", 404, s3.copy_object, Bucket="first", Key="x", CopySource="first/none")


def removals():
    s3.delete_object(Bucket="first", Key="copy")
    s3.delete_object(Bucket="first", Key="copy")
    answer = s3.delete_objects(
        Bucket="first", Delete={"Objects": [{"Key": "a b/+e.txt"}, {"Key": "sum"}, {"Key": "none"}]}
    )
    assert len(answer["Deleted"]) == 3 and "Errors" not in answer, answer
    quiet = s3.delete_objects(Bucket="first", Delete={"Objects": [{"Key": "x"}], "Quiet": True})
    assert "Deleted" not in quiet
    assert "Contents" not in s3.list_objects_v2(Bucket="first")


def listings():
    keys = [f"{folder}/{number}" for folder in "ab" for number in range(5)] + ["c &'+", "d"]
    for name in keys:
        s3.put_object(Bucket="first", Key=name, Body=b"x")
    pages = s3.get_paginator("list_objects_v2").paginate(Bucket="first", PaginationConfig={"PageSize": 3})
    assert [entry["Key"] for page in pages for entry in page["Contents"]] == sorted(keys)
    pages = s3.get_paginator("list_objects").paginate(Bucket="first", PaginationConfig={"PageSize": 5})
    assert [entry["Key"] for page in pages for entry in page["Contents"]] == sorted(keys)
    level = s3.list_objects_v2(Bucket="first", Delimiter="/")
    assert [entry["Prefix"] for entry in level["CommonPrefixes"]] == ["a/", "b/"], level
    assert [entry["Key"] for entry in level["Contents"]] == ["c &'+", "d"]
    pages = s3.get_paginator("list_objects_v2").paginate(
        Bucket="first", Delimiter="/", PaginationConfig={"PageSize": 1}
    )
    names = [
        entry.get("Key") or entry["Prefix"]
        for page in pages
        for entry in page.get("Contents", []) + page.get("CommonPrefixes", [])
    ]
    assert names == ["a/", "b/", "c &'+", "d"], names
    inner = s3.list_objects_v2(Bucket="first", Prefix="a/", StartAfter="a/2")
    assert [entry["Key"] for entry in inner["Contents"]] == ["a/3", "a/4"]
    assert inner["Contents"][0]["Size"] == 1 and inner["Contents"][0]["ETag"].startswith('"')
    refused("BucketNotEmpty", 409, s3.delete_bucket, Bucket="first")
    for name in keys:
        s3.delete_object(Bucket="first", Key=name)


def parts():
    content = bytes(range(256)) * (12 * MIB // 256)
    config = TransferConfig(multipart_threshold=5 * MIB, multipart_chunksize=5 * MIB, max_concurrency=3)
    s3.upload_fileobj(io.BytesIO(content), "first", "big", Config=config, ExtraArgs={"ContentType": "a/b"})
    got = io.BytesIO()
    s3.download_fileobj("first", "big", got, Config=config)
    assert got.getvalue() == content
    head = s3.head_object(Bucket="first", Key="big")
    assert head["ETag"].endswith('-3"') and head["ContentType"] == "a/b", head["ETag"]
    upload = s3.create_multipart_upload(Bucket="first", Key="joined")["UploadId"]
    one = {"Bucket": "first", "Key": "joined", "UploadId": upload}
    first = s3.upload_part_copy(
        **one, PartNumber=1, CopySource="first/big", CopySourceRange=f"bytes=0-{5 * MIB - 1}"
    )["CopyPartResult"]
    second = s3.upload_part(**one, PartNumber=2, Body=b"the end")
    assert [upload["Key"] for upload in s3.list_multipart_uploads(Bucket="first")["Uploads"]] == ["joined"]
    listed = s3.list_parts(**one)["Parts"]
    assert [(part["PartNumber"], part["Size"]) for part in listed] == [(1, 5 * MIB), (2, 7)]
    wrong = {"Parts": [{"PartNumber": 1, "ETag": '"x"'}]}
    refused("InvalidPart", 400, s3.complete_multipart_upload, **one, MultipartUpload=wrong)
    chosen = [{"PartNumber": 1, "ETag": first["ETag"]}, {"PartNumber": 2, "ETag": second["ETag"]}]
    s3.complete_multipart_upload(**one, MultipartUpload={"Parts": chosen})
    got = s3.get_object(Bucket="first", Key="joined")["Body"].read()
    assert got == content[: 5 * MIB] + b"the end"
    upload = s3.create_multipart_upload(Bucket="first", Key="left")["UploadId"]
    s3.abort_multipart_upload(Bucket="first", Key="left", UploadId=upload)
    refused("NoSuchUpload", 404, s3.list_parts, Bucket="first", Key="left", UploadId=upload)


def addresses():
    s3.put_object(Bucket="first", Key="given", Body=b"away", ContentType="text/plain")
    address = s3.generate_presigned_url(
        "get_object",
        Params={"Bucket": "first", "Key": "given", "ResponseContentDisposition": "attachment"},
        ExpiresIn=60,
    )
    assert fetch(address) == (200, b"away")
    assert fetch(address.replace("/given?", "/big?"))[0] == 403
    address = s3.generate_presigned_url("put_object", Params={"Bucket": "first", "Key": "taken"}, ExpiresIn=60)
    assert fetch(address, "PUT", b"in")[0] == 200
    assert s3.get_object(Bucket="first", Key="taken")["Body"].read() == b"in"
    form = s3.generate_presigned_post("first", "form/${filename}", Conditions=[["content-length-range", 1, 10]])

    def send(fields, content):
        lines = []
        for name, value in fields.items():
            lines.append(f'--edge\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n')
        lines.append('--edge\r\nContent-Disposition: form-data; name="file"; filename="f.txt"\r\n\r\n')
        body = "".join(lines).encode() + content + b"\r\n--edge--\r\n"
        return fetch(form["url"], "POST", body, {"content-type": "multipart/form-data; boundary=edge"})

    status, answer = send(form["fields"], b"by a form")
    assert status == 204, (status, answer)
    assert s3.get_object(Bucket="first", Key="form/f.txt")["Body"].read() == b"by a form"
    assert send(form["fields"], b"much too long")[0] == 403
    assert send({**form["fields"], "key": "other"}, b"x")[0] == 403
    assert send({**form["fields"], "acl": "public-read"}, b"x")[0] == 403


def streams():
    """Signed chunk by chunk, and unsigned with a trailer, as boto3 sends what it cannot read twice."""

    class Once(io.RawIOBase):
        def __init__(self, content):
            self.inner = io.BytesIO(content)

        def readable(self):
            return True

        def read(self, size=-1):
            return self.inner.read(size)

    content = b"streamed" * 100_000
    s3.upload_fileobj(Once(content), "first", "stream")
    assert s3.get_object(Bucket="first", Key="stream")["Body"].read() == content


def sessions():
    user = client(project, anon, token)
    user.put_object(Bucket="first", Key="ada/a.txt", Body=b"mine")
    assert user.get_object(Bucket="first", Key="ada/a.txt")["Body"].read() == b"mine"
    refused("AccessDenied", 403, user.put_object, Bucket="first", Key="bob/a.txt", Body=b"his")
    refused("NoSuchKey", 404, user.get_object, Bucket="first", Key="given")
    keys = [entry["Key"] for entry in user.list_objects_v2(Bucket="first")["Contents"]]
    assert keys == ["ada/a.txt"], keys
    answer = user.delete_objects(Bucket="first", Delete={"Objects": [{"Key": "ada/a.txt"}, {"Key": "given"}]})
    assert [entry["Key"] for entry in answer["Deleted"]] == ["ada/a.txt"]
    assert [entry["Code"] for entry in answer["Errors"]] == ["AccessDenied"]
    refused("SignatureDoesNotMatch", 403, client(key, "wrong").list_buckets)
    refused("InvalidAccessKeyId", 403, client("wrong", secret).list_buckets)


for deed in [buckets, objects, copies, removals, listings, parts, addresses, streams, sessions]:
    try:
        deed()
    except Exception:
        print(f"while trying {deed.__name__}", file=sys.stderr)
        raise
print("ok")
