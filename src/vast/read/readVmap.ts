// Reads VMAP 1.0.1, a list of ad breaks for one piece of content, as leniently as VAST. It knows where breaks are and
// what fills them; a VAST within it is read by readVast.
import type { XmlElement } from '../../xml/element.ts';
import type { TrackingEvent, VastExtension, VastOffset, VastResponse, VastWarning } from '../response.ts';
import { readOffset } from '../values.ts';
import { readAdXml, warnInto } from '../xml/adXml.ts';
import {
  attribute,
  booleanAttribute,
  isNamed,
  shortened,
  textOf,
  visit,
  type Warn,
  withoutUndefined,
} from '../xml/elements.ts';
import type { VastReadFailure } from '../xml/vastReadFailure.ts';
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
  /** Where in the content; `position` counts the opportunities that the content has (`#n`). */
  readonly timeOffset:
    | VastOffset
    | { readonly kind: 'start' | 'end' }
    | { readonly kind: 'position'; readonly number: number };
  /** `linear`, `nonlinear`, `display`. */
  readonly breakTypes: readonly string[];
  readonly repeatAfter?: Extract<VastOffset, { kind: 'time' }>['at'];
  readonly source?: VmapSource;
  /** Why the VAST document in it can't be read. */
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

/** @param base the address of the document after redirects, which relative URLs are resolved against */
export function readVmap(input: Uint8Array | string, base?: string): VmapResponse | VastReadFailure {
  const xml = readAdXml(input);
  return 'root' in xml ? readVmapElement(xml.root, xml.warnings, base) : xml;
}

/** @param warnings those that reading the XML gave already */
export function readVmapElement(
  root: XmlElement,
  warnings: VastWarning[] = [],
  base?: string,
): VmapResponse | VastReadFailure {
  if (!isNamed(root, 'VMAP')) {
    const reason = `the root element must be VMAP, got ${shortened(root.name)}`;
    return { line: root.line, fault: 'ROOT', reason, code: 101 };
  }
  const warn = warnInto(warnings, base);
  const adBreaks: VmapBreak[] = [];
  const extensions: VastExtension[] = [];
  visit(root, warn, { AdBreak: collect(adBreaks, adBreak, warn), Extensions: collectExtensions(extensions, warn) });
  return { version: attribute(root, 'version') ?? '', adBreaks, extensions, warnings };
}

/** A break that does not say when it comes is taken for one at the start: its ads are there. */
function adBreak(element: XmlElement, warn: Warn): VmapBreak {
  const trackingEvents: TrackingEvent[] = [];
  const extensions: VastExtension[] = [];
  let source: VmapSource | undefined;
  let unreadable: VmapBreak['unreadable'];
  visit(element, warn, {
    AdSource: (child) => {
      source ??= adSource(child, warn, (refusal) => {
        unreadable ??= refusal;
      });
    },
    TrackingEvents: collectTracking(trackingEvents, warn),
    Extensions: collectExtensions(extensions, warn),
  });
  const written = attribute(element, 'timeOffset') ?? '';
  const timeOffset = readTimeOffset(written);
  if (timeOffset === undefined) {
    warn(
      element.line,
      `AdBreak@timeOffset must be a time, a percentage, start, end or #n, got "${shortened(written)}"`,
    );
  }
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

type Refuse = (refusal: NonNullable<VmapBreak['unreadable']>) => void;

function adSource(element: XmlElement, warn: Warn, refuse: Refuse): VmapSource | undefined {
  const common = {
    ...withoutUndefined({ id: attribute(element, 'id') }),
    allowMultipleAds: booleanAttribute(element, 'allowMultipleAds', warn) ?? true,
    followRedirects: booleanAttribute(element, 'followRedirects', warn) ?? true,
  };
  const templateType = (child: XmlElement) => withoutUndefined({ templateType: attribute(child, 'templateType') });
  let source: VmapSource | undefined;
  const inner = (child: XmlElement): void => {
    const vast = innerVast(child, warn, refuse);
    if (vast) source ??= { ...common, kind: 'vast', vast };
  };
  visit(element, warn, {
    VASTAdData: inner,
    // VMAP 1.0 called it so.
    VASTData: inner,
    AdTagURI: (child) => {
      const url = urlIn(child, warn);
      if (url) source ??= { ...common, kind: 'tag', url, ...templateType(child) };
    },
    CustomAdData: (child) => {
      const data = adParameters(child, warn)?.value;
      if (data) source ??= { ...common, kind: 'custom', data, ...templateType(child) };
    },
  });
  return source;
}

/** A VAST element, or a document in CDATA. Its warnings stay with it. */
function innerVast(element: XmlElement, warn: Warn, refuse: Refuse): VastResponse | undefined {
  const child = element.children.find((one) => isNamed(one, 'VAST') || isNamed(one, 'VideoAdServingTemplate'));
  const text = textOf(element);
  const read = child ? readVastElement(child, [], warn.base) : text ? readVast(text, warn.base) : undefined;
  if (read === undefined) warn(element.line, `${element.local} must hold a VAST document, it holds none`);
  if (read === undefined || !('reason' in read)) return read;
  // A document in CDATA counts its own lines.
  const line = child ? read.line : element.line + read.line - 1;
  const reason = `${element.local} holds no VAST that can be read: ${read.reason}`;
  warn(line, reason);
  refuse({ line, reason, code: read.code });
  return undefined;
}
