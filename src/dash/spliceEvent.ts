// SPDX-License-Identifier: Apache-2.0
// The events of an EventStream with SCTE-35 messages (ISO/IEC 23009-1 5.10.2), with their content as XML. What the messages
// mean is left to `markers`.
import type { Flicks } from '../time/units.ts';
import type { XmlElement } from '../xml/element.ts';

export type SpliceEvent = {
  /** After the start of its Period; may be negative, or later than the Period's end. */
  readonly start: Flicks;
  readonly duration?: Flicks;
  readonly id?: string;
  readonly scheme: string;
  readonly line: number;
  readonly element: XmlElement;
  /** What of its attributes was not used as written. */
  readonly warnings?: readonly string[];
};
