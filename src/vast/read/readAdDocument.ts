// SPDX-License-Identifier: Apache-2.0
// Reads the document that an ad server sent, either VAST or VMAP. The XML is parsed once.

import type { VastResponse } from '../response.ts';
import { readAdXml } from '../xml/adXml.ts';
import { isVmapRoot } from '../xml/documentRoots.ts';
import type { VastReadFailure } from '../xml/vastReadFailure.ts';
import { readVastElement } from './readVast.ts';
import { readVmapElement, type VmapResponse } from './readVmap.ts';

/**
 * @param input the bytes as received, or their text
 * @param base URL of the document after redirects, against which relative URLs are resolved
 */
export function readAdDocument(
  input: Uint8Array | string,
  base?: string,
): VastResponse | VmapResponse | VastReadFailure {
  const xml = readAdXml(input);
  if (!('root' in xml)) return xml;
  const read = isVmapRoot(xml.root) ? readVmapElement : readVastElement;
  return read(xml.root, xml.warnings, base);
}
