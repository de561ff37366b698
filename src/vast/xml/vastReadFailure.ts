import type { XmlFaultCode } from '../../xml/element.ts';
import type { NonXmlFault } from './detectNonXml.ts';

/** A document that is no VAST, with the code its Error URLs would be told (VAST 4.2 §2.3.6.3). */
export type VastReadFailure = {
  readonly line: number;
  readonly fault: XmlFaultCode | NonXmlFault | 'ROOT' | 'NOT_READ';
  readonly reason: string;
  /** 900 where the document was not looked at. */
  readonly code: 100 | 101 | 900;
};
