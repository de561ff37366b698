// SPDX-License-Identifier: Apache-2.0
// Reads VMAP 1.0.1, a list of ad breaks for one content item, as leniently as VAST. The VAST inside is read by readVast.

import { withoutUndefined } from '../../invariant.ts';
import type { XmlElement } from '../../xml/element.ts';
import type { TrackingEvent, VastExtension, VastOffset, VastResponse } from '../response.ts';
import { readOffset } from '../values.ts';
import type { VastWarning } from '../vastWarning.ts';
import type { VastReadFailure } from '../xml/adXml.ts';
import { isVastRoot, warnInto } from '../xml/adXml.ts';
import { attribute, booleans, type Expected, textOf, texts, visit, type Warn, warnOfValue } from '../xml/elements.ts';
import {
  adParameters,
  collect,
  collectExtensions,
  collectTracking,
  timeAttribute,
  urlIn,
} from './readSharedElements.ts';
import { readVast, readVastElement } from './readVast.ts';

export type VmapResponse = {
  readonly version: string;
  readonly adBreaks: readonly VmapBreak[];
  readonly extensions: readonly VastExtension[];
  readonly warnings: readonly VastWarning[];
};

export type VmapBreak = {
  readonly id?: string;
  /** Position in the content; `position` is the number of an opportunity in the content (`#n`). */
  readonly timeOffset:
    | VastOffset
    | { readonly kind: 'start' | 'end' }
    | { readonly kind: 'position'; readonly number: number };
  /** `linear`, `nonlinear`, `display`. */
  readonly breakTypes: readonly string[];
  readonly repeatAfter?: Extract<VastOffset, { kind: 'time' }>['at'];
  readonly source?: VmapSource;
  /** Why its VAST document cannot be read. */
  readonly unreadable?: Pick<VastReadFailure, 'line' | 'reason' | 'code'>;
  /** `breakStart`, `breakEnd`, `error`. */
  readonly trackingEvents: readonly TrackingEvent[];
  readonly extensions: readonly VastExtension[];
};

export type VmapSource = {
  readonly id?: string;
  readonly allowMultipleAds: boolean;
  readonly followRedirects: boolean;
} & (
  | { readonly kind: 'vast'; readonly vast: VastResponse }
  | { readonly kind: 'tag'; readonly url: string; readonly templateType?: string }
  | { readonly kind: 'custom'; readonly data: string; readonly templateType?: string }
);

/** @param warnings those of parsing the XML */
export function readVmapElement(root: XmlElement, warnings: VastWarning[], base?: string): VmapResponse {
  const warn = warnInto(warnings, base);
  const adBreaks: VmapBreak[] = [];
  const extensions: VastExtension[] = [];
  visit(root, warn, { AdBreak: collect(adBreaks, adBreak, warn), Extensions: collectExtensions(extensions, warn) });
  return { version: attribute(root, 'version') ?? '', adBreaks, extensions, warnings };
}

const TIME_OFFSET: Expected = {
  code: 'INVALID_OFFSET',
  description: 'a time, a percentage, "start", "end" or a number such as #1',
};

/** A break without a valid position is placed at the start, so that its ads are not lost. */
function adBreak(element: XmlElement, warn: Warn): VmapBreak {
  const trackingEvents: TrackingEvent[] = [];
  const extensions: VastExtension[] = [];
  let source: VmapSource | undefined;
  let unreadable: VmapBreak['unreadable'];
  visit(element, warn, {
    AdSource: (child) => {
      source ??= adSource(child, warn, (failure) => {
        unreadable ??= failure;
      });
    },
    TrackingEvents: collectTracking(trackingEvents, warn),
    Extensions: collectExtensions(extensions, warn),
  });
  const written = attribute(element, 'timeOffset') ?? '';
  const timeOffset = readTimeOffset(written);
  if (timeOffset === undefined) warnOfValue(warn, element.line, 'AdBreak@timeOffset', TIME_OFFSET, written);
  const id = attribute(element, 'breakId');
  const repeatAfter = timeAttribute(element, 'repeatAfter', warn);
  const breakTypes = (attribute(element, 'breakType') ?? 'linear').toLowerCase().split(/[\s,]+/);
  return {
    ...withoutUndefined({ id, repeatAfter, source, unreadable: source === undefined ? unreadable : undefined }),
    timeOffset: timeOffset ?? { kind: 'start' },
    breakTypes,
    trackingEvents,
    extensions,
  };
}

function readTimeOffset(text: string): VmapBreak['timeOffset'] | undefined {
  const word = text.toLowerCase();
  if (word === 'start' || word === 'end') return { kind: word };
  const position = /^#([1-9]\d{0,5})$/.exec(text);
  return position ? { kind: 'position', number: Number(position[1]) } : readOffset(text);
}

type OnUnreadable = (failure: NonNullable<VmapBreak['unreadable']>) => void;

function adSource(element: XmlElement, warn: Warn, onUnreadable: OnUnreadable): VmapSource | undefined {
  const common = {
    allowMultipleAds: true,
    followRedirects: true,
    ...texts(element, warn, 'id'),
    ...booleans(element, warn, 'allowMultipleAds', 'followRedirects'),
  };
  let source: VmapSource | undefined;
  const inner = (child: XmlElement): void => {
    const vast = innerVast(child, warn, onUnreadable);
    if (vast) source ??= { ...common, kind: 'vast', vast };
  };
  visit(element, warn, {
    VASTAdData: inner,
    // Its name in VMAP 1.0.
    VASTData: inner,
    AdTagURI: (child) => {
      const url = urlIn(child, warn);
      if (url) source ??= { ...common, kind: 'tag', url, ...texts(child, warn, 'templateType') };
    },
    CustomAdData: (child) => {
      const data = adParameters(child, warn)?.value;
      if (data) source ??= { ...common, kind: 'custom', data, ...texts(child, warn, 'templateType') };
    },
  });
  return source;
}

/** A VAST element, or a document in CDATA. Its warnings are part of the result. */
function innerVast(element: XmlElement, warn: Warn, onUnreadable: OnUnreadable): VastResponse | undefined {
  const child = element.children.find(isVastRoot);
  const text = textOf(element);
  const read = child ? readVastElement(child, [], warn.base) : text ? readVast(text, warn.base) : undefined;
  if (read === undefined) warn(element.line, 'MISSING_VAST', `${element.local} contains no VAST document`);
  if (read === undefined || !('reason' in read)) return read;
  // Line numbers in CDATA start at 1.
  const line = child ? read.line : element.line + read.line - 1;
  const reason = `the VAST document in ${element.local} cannot be read: ${read.reason}`;
  warn(line, 'UNREADABLE_VAST', reason);
  onUnreadable({ line, reason, code: read.code });
  return undefined;
}
