// SPDX-License-Identifier: Apache-2.0
import type { XmlFaultCode } from '../../xml/element.ts';
import type { NonXmlFault } from './detectNonXml.ts';

/** Why a document cannot be read, with the VAST error code for Error URLs (VAST 4.2 §2.3.6.3). */
export type VastReadFailure = {
  readonly line: number;
  readonly fault: XmlFaultCode | NonXmlFault | 'ROOT' | 'NOT_READ';
  readonly reason: string;
  /** 900 when reading the document was not attempted or not finished. */
  readonly code: 100 | 101 | 900;
};
