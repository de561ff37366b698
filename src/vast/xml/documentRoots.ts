// SPDX-License-Identifier: Apache-2.0
// The root elements of ad responses: VAST, VideoAdServingTemplate (VAST 1) and VMAP.
import type { XmlElement } from '../../xml/element.ts';
import { isNamed, shortened } from './elements.ts';
import type { VastReadFailure } from './vastReadFailure.ts';

const VAST_1 = 'VideoAdServingTemplate';

export const documentRoots: readonly string[] = ['VAST', 'VMAP', VAST_1];

export const isVast1Root = (element: XmlElement): boolean => isNamed(element, VAST_1);
export const isVastRoot = (element: XmlElement): boolean => isNamed(element, 'VAST') || isVast1Root(element);
export const isVmapRoot = (element: XmlElement): boolean => isNamed(element, 'VMAP');

export const wrongRoot = ({ line, name }: XmlElement, expected: 'VAST' | 'VMAP'): VastReadFailure => ({
  line,
  fault: 'ROOT',
  reason: `the root element must be ${expected}; got ${shortened(name)}`,
  code: 101,
});
