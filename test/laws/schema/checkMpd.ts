// SPDX-License-Identifier: Apache-2.0
// What the schema of ISO/IEC 23009-1 (DASH-MPD.xsd) requires of the elements that Midroll writes: their order, their attributes and
// the types of these. Nothing else may be in an MPD. Two rules are added: S@d is not 0 (5.3.9.6.2), and no attribute is empty.
// What the 6th edition adds for alternative MPDs follows its text (5.16, 8.14, Annex I).
import { SaxesParser } from 'saxes';

type Type = (value: string) => boolean;
const matching =
  (pattern: RegExp): Type =>
  (value) =>
    pattern.test(value);
const unsigned =
  (bits: bigint, least = 0n): Type =>
  (value) =>
    /^\d{1,20}$/.test(value) && BigInt(value) < 2n ** bits && BigInt(value) >= least;
const INT = unsigned(32n);
const LONG = unsigned(64n);
const TEXT: Type = (value) => value !== '';
const URI = matching(/^[^\s<>"{}|\\^`]+$/);
const NAME = matching(/^\S+$/);
const BOOLEAN = matching(/^(true|false)$/);
const RANGE = matching(/^\d+-\d+$/);
const DURATION = matching(/^PT\d+(\.\d+)?S$/);
const INSTANT = matching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
const LANGUAGE = matching(/^[a-z]{1,8}(-[a-z0-9]{1,8})*$/i);
const CODECS = matching(/^[\w.+$^|'`%!*#~&-]+(,[\w.+$^|'`%!*#~&-]+)*$/);

const DOUBLE = matching(/^\d+(\.\d+)?$/);
const FRAME_RATE = matching(/^\d+(\/[1-9]\d*)?$/);

const NAMESPACE = 'urn:mpeg:dash:schema:mpd:2011';

type Attributes = Readonly<Record<string, Type>>;
type Rule = {
  readonly required: Attributes;
  readonly optional: Attributes;
  /** In this order. `*` may be repeated, `+` has to be there. */
  readonly children: readonly string[];
  /** Elements of other namespaces are allowed. */
  readonly isOpen?: boolean;
};
const rule = (required: Attributes, optional: Attributes = {}, children = '', isOpen = false): Rule => ({
  ...{ required, optional, isOpen },
  children: children === '' ? [] : children.split(' '),
});

const descriptor = rule({ schemeIdUri: URI }, { value: TEXT, id: TEXT });
const alternative = {
  ...{ earliestResolutionTimeOffset: DOUBLE, maxDuration: LONG, executeOnce: BOOLEAN, noJump: matching(/^[012]$/) },
  skipAfter: DURATION,
};
const timed = { timescale: unsigned(32n, 1n), presentationTimeOffset: LONG };
const RULES: Readonly<Record<string, Rule>> = {
  MPD: rule(
    { xmlns: (value) => value === NAMESPACE, profiles: URI, minBufferTime: DURATION },
    {
      ...{ id: TEXT, type: matching(/^(static|dynamic|list)$/), availabilityStartTime: INSTANT, publishTime: INSTANT },
      ...{ mediaPresentationDuration: DURATION, minimumUpdatePeriod: DURATION, timeShiftBufferDepth: DURATION },
      ...{ suggestedPresentationDelay: DURATION, maxSegmentDuration: DURATION },
    },
    'BaseURL* PatchLocation* Period*+ EssentialProperty* UTCTiming*',
  ),
  BaseURL: rule({}),
  PatchLocation: rule({}, { ttl: matching(/^\d+(\.\d+)?$/) }),
  EssentialProperty: descriptor,
  UTCTiming: descriptor,
  Period: rule({ id: TEXT, start: DURATION }, { duration: DURATION }, 'EventStream* AdaptationSet*+'),
  EventStream: rule({ schemeIdUri: URI }, { value: TEXT, ...timed }, 'Event* RequestParam'),
  Event: rule({}, { presentationTime: LONG, duration: LONG, id: INT }, 'InsertPresentation ReplacePresentation', true),
  InsertPresentation: rule({ uri: URI }, alternative),
  ReplacePresentation: rule(
    { uri: URI },
    { ...alternative, returnOffset: LONG, clip: BOOLEAN, startWithOffset: BOOLEAN },
  ),
  RequestParam: rule({}, { queryTemplate: TEXT, useMPDUrlQuery: BOOLEAN, includeInRequests: TEXT }),
  AdaptationSet: rule(
    { id: INT, contentType: matching(/^(text|audio|video)$/), mimeType: NAME },
    { lang: LANGUAGE, segmentAlignment: BOOLEAN, startWithSAP: matching(/^[0-6]$/), frameRate: FRAME_RATE },
    'ContentProtection* Accessibility* Role* SegmentTemplate Representation*+',
  ),
  ContentProtection: { ...descriptor, isOpen: true },
  Accessibility: descriptor,
  Role: descriptor,
  Representation: rule(
    { id: NAME, bandwidth: INT, codecs: CODECS },
    { width: INT, height: INT, frameRate: FRAME_RATE, audioSamplingRate: INT },
    'AudioChannelConfiguration* SegmentList SegmentTemplate',
  ),
  AudioChannelConfiguration: descriptor,
  SegmentTemplate: rule({ media: TEXT }, { initialization: TEXT, startNumber: INT, ...timed }, 'SegmentTimeline+'),
  SegmentList: rule({}, timed, 'Initialization SegmentTimeline+ SegmentURL*+'),
  Initialization: rule({ sourceURL: URI }, { range: RANGE }),
  SegmentTimeline: rule({}, {}, 'S*+'),
  S: rule({ d: unsigned(64n, 1n) }, { t: LONG, r: matching(/^\d+$/) }),
  SegmentURL: rule({ media: URI }, { mediaRange: RANGE }),
};

/** Of a List MPD, whose Periods lead to other MPDs. A Period without media has no duration (5.3.2.1). */
const LIST_RULES: typeof RULES = {
  MPD: rule({ ...RULES.MPD!.required, type: matching(/^list$/) }, {}, 'Period*+'),
  Period: rule({ id: TEXT, duration: DURATION }, {}, 'ImportedMPD'),
  ImportedMPD: rule({}, { earliestResolutionTimeOffset: DOUBLE }),
};

const wordOf = (child: string): string => child.replace(/[*+]+$/, '');

type Open = { readonly name: string; readonly rule: Rule | undefined; readonly seen: Set<string>; last: number };

function checkAttributes(
  name: string,
  { required, optional, isOpen }: Rule,
  given: Readonly<Record<string, string>>,
): void {
  for (const key of Object.keys(required)) if (given[key] === undefined) throw new Error(`${name} must have @${key}.`);
  for (const [key, value] of Object.entries(given)) {
    const type = required[key] ?? optional[key];
    if (type === undefined && isOpen && (key.includes(':') || value === NAMESPACE)) continue;
    if (type?.(value) !== true) throw new Error(`${name}@${key} must follow the schema; got "${value}".`);
  }
}

function enter(parent: Open, name: string): void {
  const at = parent.rule!.children.findIndex((child) => wordOf(child) === name);
  if (at < parent.last) throw new Error(`${name} must not be here in ${parent.name}.`);
  if (parent.seen.has(name) && !parent.rule!.children[at]!.includes('*')) {
    throw new Error(`${parent.name} must have one ${name}.`);
  }
  parent.last = at;
  parent.seen.add(name);
}

/** @throws Error if the MPD does not follow the schema */
export function checkMpd(text: string): void {
  const parser = new SaxesParser();
  const open: Open[] = [];
  let rules = RULES;
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const parent = open.at(-1);
    const isForeign = parent !== undefined && (parent.rule === undefined || (parent.rule.isOpen && name.includes(':')));
    if (parent === undefined && attributes.type === 'list') rules = LIST_RULES;
    const own = isForeign ? undefined : rules[name];
    if (!isForeign) {
      if (own === undefined || (parent === undefined && name !== 'MPD'))
        throw new Error(`${name} must not be in an MPD.`);
      if (parent !== undefined) enter(parent, name);
      checkAttributes(name, own, attributes);
    }
    open.push({ name, rule: own, seen: new Set(), last: 0 });
  });
  parser.on('closetag', () => {
    const { name, rule: own, seen } = open.pop()!;
    const missing = own?.children.find((child) => child.endsWith('+') && !seen.has(wordOf(child)));
    if (missing !== undefined) throw new Error(`${name} must have a ${wordOf(missing)}.`);
  });
  parser.write(text).close();
}
