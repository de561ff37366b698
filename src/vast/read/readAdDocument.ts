// Reads what an ad server sent, VAST or VMAP, whichever it is: the XML is parsed once.

import type { VastResponse } from '../response.ts';
import { readAdXml } from '../xml/adXml.ts';
import { isNamed } from '../xml/elements.ts';
import type { VastReadFailure } from '../xml/vastReadFailure.ts';
import { readVastElement } from './readVast.ts';
import { readVmapElement, type VmapResponse } from './readVmap.ts';

/**
 * @param input the bytes as they came, or their text
 * @param base the address of the document after redirects, which relative URLs are resolved against
 */
export function readAdDocument(
  input: Uint8Array | string,
  base?: string,
): VastResponse | VmapResponse | VastReadFailure {
  const xml = readAdXml(input);
  if (!('root' in xml)) return xml;
  const read = isNamed(xml.root, 'VMAP') ? readVmapElement : readVastElement;
  return read(xml.root, xml.warnings, base);
}
