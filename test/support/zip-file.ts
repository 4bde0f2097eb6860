import { zipSync } from 'fflate';

const CONTENT_TYPES =
  '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default ' +
  'Extension="xml" ContentType="application/xml"/></Types>';
const NAMESPACE = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';

/** A zip archive of texts and bytes by name. */
export function zipFile(entries: Readonly<Record<string, string | Uint8Array>>): Uint8Array {
  return zipSync(
    Object.fromEntries(
      Object.entries(entries).map(([name, value]) => [name, typeof value === 'string' ? Buffer.from(value) : value]),
    ),
    { level: 9 },
  );
}

/** A Word file with this body (WordprocessingML), and further parts. */
export function docxFile(
  body: string,
  further: Readonly<Record<string, string | Uint8Array>> = {},
  before = '',
): Uint8Array {
  return zipFile({
    '[Content_Types].xml': CONTENT_TYPES,
    'word/document.xml': `<?xml version="1.0"?>${before}<w:document ${NAMESPACE}><w:body>${body}</w:body></w:document>`,
    ...further,
  });
}

/** A paragraph of a Word file. */
export function paragraph(text: string, properties = ''): string {
  return `<w:p>${properties === '' ? '' : `<w:pPr>${properties}</w:pPr>`}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
}
