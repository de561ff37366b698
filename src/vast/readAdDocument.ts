// Reads what an ad server sent, VAST or VMAP, whichever it is: the XML is parsed once.
import { readAdXml } from './adXml.ts';
import { isNamed } from './elements.ts';
import { readVastElement } from './readVast.ts';
import { readVmapElement, type VmapResponse } from './readVmap.ts';
import type { VastRefusal, VastResponse } from './response.ts';

/** @param input the bytes as they came, or their text */
export function readAdDocument(input: Uint8Array | string): VastResponse | VmapResponse | VastRefusal {
  const xml = readAdXml(input);
  if (!('root' in xml)) return xml;
  return isNamed(xml.root, 'VMAP') ? readVmapElement(xml.root, xml.warnings) : readVastElement(xml.root, xml.warnings);
}
