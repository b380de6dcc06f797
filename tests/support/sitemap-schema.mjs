// The sitemap protocol (sitemaps.org/protocol.html) as XML schemas, written from its description of each element,
// without the elements of other vocabularies.
const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9'

const TYPES = `
  <xs:simpleType name="address"><xs:restriction base="xs:anyURI">
    <xs:minLength value="12"/><xs:maxLength value="2048"/><xs:pattern value="https?://.+"/>
  </xs:restriction></xs:simpleType>
  <xs:simpleType name="moment"><xs:union memberTypes="xs:date xs:dateTime xs:gYear xs:gYearMonth"/></xs:simpleType>`

const schema = (content) => `<?xml version="1.0" encoding="UTF-8"?>
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns="${NAMESPACE}" targetNamespace="${NAMESPACE}"
  elementFormDefault="qualified">${TYPES}${content}</xs:schema>`

/** Schema of a sitemap index. */
export const INDEX_SCHEMA = schema(`
  <xs:element name="sitemapindex"><xs:complexType><xs:sequence>
    <xs:element name="sitemap" maxOccurs="50000"><xs:complexType><xs:all>
      <xs:element name="loc" type="address"/>
      <xs:element name="lastmod" type="moment" minOccurs="0"/>
    </xs:all></xs:complexType></xs:element>
  </xs:sequence></xs:complexType></xs:element>`)

/** Schema of a sitemap file; an address may have elements of other vocabularies. */
export const FILE_SCHEMA = schema(`
  <xs:element name="urlset"><xs:complexType><xs:sequence>
    <xs:element name="url" maxOccurs="unbounded"><xs:complexType><xs:sequence>
      <xs:element name="loc" type="address"/>
      <xs:element name="lastmod" type="moment" minOccurs="0"/>
      <xs:element name="changefreq" minOccurs="0"><xs:simpleType><xs:restriction base="xs:string">
        <xs:enumeration value="always"/><xs:enumeration value="hourly"/><xs:enumeration value="daily"/>
        <xs:enumeration value="weekly"/><xs:enumeration value="monthly"/><xs:enumeration value="yearly"/>
        <xs:enumeration value="never"/>
      </xs:restriction></xs:simpleType></xs:element>
      <xs:element name="priority" minOccurs="0"><xs:simpleType><xs:restriction base="xs:decimal">
        <xs:minInclusive value="0"/><xs:maxInclusive value="1"/>
      </xs:restriction></xs:simpleType></xs:element>
      <xs:any namespace="##other" processContents="lax" minOccurs="0" maxOccurs="unbounded"/>
    </xs:sequence></xs:complexType></xs:element>
  </xs:sequence></xs:complexType></xs:element>`)
