// SPDX-License-Identifier: Apache-2.0
// Reads the XML of an ad response as leniently as ad servers require, whatever its root element is.
import { decodeXml } from '../../xml/decodeXml.ts';
import type { XmlElement, XmlFaultCode } from '../../xml/element.ts';
import { readXml, type XmlOptions } from '../../xml/read.ts';
import type { VastWarning } from '../vastWarning.ts';
import { isNamed, type Warn } from './elements.ts';

const VAST_1 = 'VideoAdServingTemplate';

const documentRoots: readonly string[] = ['VAST', 'VMAP', VAST_1];

export const isVast1Root = (element: XmlElement): boolean => isNamed(element, VAST_1);
export const isVastRoot = (element: XmlElement): boolean => isNamed(element, 'VAST') || isVast1Root(element);
export const isVmapRoot = (element: XmlElement): boolean => isNamed(element, 'VMAP');

// Which elements an element of VAST 1.0 to 4.4 or VMAP may contain, to repair documents in which end tags are missing. Elements that
// are not here, such as Extension, may contain anything.

const inAd =
  'AdSystem AdTitle Description Advertiser Pricing Survey Error Impression Category BlockedAdCategories AdServingId Expires ' +
  'ViewableImpression AdVerifications Creatives Extensions VASTAdTagURI VASTAdTagURL Video TrackingEvents VideoClicks CompanionAds ' +
  'NonLinearAds';
const resources = 'StaticResource IFrameResource HTMLResource';
const url = 'URL';

const contents: Readonly<Record<string, string>> = {
  VMAP: 'AdBreak Extensions',
  AdBreak: 'AdSource TrackingEvents Extensions',
  AdSource: 'VASTAdData VASTData AdTagURI CustomAdData',
  VASTAdData: 'VAST VideoAdServingTemplate',
  VASTData: 'VAST VideoAdServingTemplate',
  VAST: 'Ad Error Extensions',
  VideoAdServingTemplate: 'Ad Error',
  Ad: 'InLine Wrapper',
  InLine: inAd,
  Wrapper: inAd,
  ViewableImpression: 'Viewable NotViewable ViewUndetermined',
  AdVerifications: 'Verification',
  Verification: 'JavaScriptResource ExecutableResource TrackingEvents VerificationParameters',
  Extensions: 'Extension',
  CreativeExtensions: 'CreativeExtension',
  Creatives: 'Creative',
  Creative: 'UniversalAdId CreativeExtensions Linear NonLinearAds CompanionAds',
  Video: 'Duration AdID MediaFiles TrackingEvents VideoClicks AdParameters',
  Linear: 'Duration MediaFiles TrackingEvents VideoClicks AdParameters Icons CreativeExtensions',
  MediaFiles: 'MediaFile Mezzanine InteractiveCreativeFile ClosedCaptionFiles',
  ClosedCaptionFiles: 'ClosedCaptionFile',
  TrackingEvents: 'Tracking',
  VideoClicks: 'ClickThrough ClickTracking CustomClick',
  Icons: 'Icon',
  Icon: `${resources} IconClicks IconViewTracking`,
  IconClicks: 'IconClickThrough IconClickTracking IconClickFallbackImages',
  IconClickFallbackImages: 'IconClickFallbackImage',
  CompanionAds: 'Companion',
  Companion: `${resources} AdParameters AltText CompanionClickThrough CompanionClickTracking TrackingEvents CreativeExtensions URL Code`,
  NonLinearAds: 'NonLinear TrackingEvents',
  NonLinear: `${resources} AdParameters NonLinearClickThrough NonLinearClickTracking URL Code`,
  // Without its end tag, an empty one would contain what follows it.
  ...Object.fromEntries(
    'AdSystem AdTitle Description Advertiser Pricing Survey Error Impression VASTAdTagURI VASTAdTagURL Duration Tracking MediaFile ClickThrough ClickTracking CustomClick'
      .split(' ')
      .map((name) => [name, url]),
  ),
};

const elementContents: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(contents).map(([name, names]) => [name.toLowerCase(), new Set(names.toLowerCase().split(' '))]),
);

const options: XmlOptions = {
  lenient: true,
  maxLength: 4 << 20,
  maxDepth: 64,
  maxElements: 100_000,
  repairTags: { roots: documentRoots.map((name) => name.toLowerCase()), whole: 'ad', contents: elementContents },
};
const MAX_VAST_WARNINGS = 100;

type AdXml = { readonly root: XmlElement; readonly warnings: VastWarning[] };

// Detects ad responses that are not XML, such as JSON, web pages and XML that was escaped once too often, and describes
// the mistake.

type NonXmlFault = 'EMPTY' | 'WEB_PAGE' | 'JSON' | 'SCRIPT' | 'ESCAPED' | 'COMPRESSED' | 'MEDIA' | 'TEXT';

type NonXml = { readonly fault: NonXmlFault; readonly reason: string };

/** Characters at the start of a response that are examined. */
const HEAD = 4_096;

const titleOf = (text: string): string => {
  const title = /<title[^>]{0,200}>([^<]{1,200})/i.exec(text)?.[1]?.trim().replace(/\s+/g, ' ');
  return title ? ` with the title "${title.slice(0, 80)}"` : '';
};

const kinds: readonly (readonly [pattern: RegExp, fault: NonXmlFault, reason: (head: string) => string])[] = [
  [
    /^<(!doctype\s+html|html[\s>])/i,
    'WEB_PAGE',
    (head) => `the response is a web page (HTML)${titleOf(head)}, not VAST`,
  ],
  [/^[{[]\s*(["{[\]}\d]|true|false|null|$)/, 'JSON', (head) => `the response is JSON, not XML${xmlHint(head)}`],
  [
    /^"\s*(<|\\u003c|&lt;)/i,
    'JSON',
    () => 'the response is a JSON string containing XML; the XML must be sent by itself',
  ],
  [
    /^(\/\*.{0,40}?\*\/\s*)?[\w$.]+\(\s*["'`{[<]/,
    'SCRIPT',
    (head) => `the response is JavaScript (a call of ${/[\w$.]+(?=\()/.exec(head)?.[0].slice(0, 40)}), not XML`,
  ],
  [/^&(amp;)*(lt|#60|#x3c);/i, 'ESCAPED', () => 'the XML is escaped: it contains "&lt;" instead of "<"'],
  [/^(\\u003c|%3c)/i, 'ESCAPED', (head) => `the XML is escaped: it starts with "${head.slice(0, 6)}…" instead of "<"`],
  [/^(PD94bWwg|PFZBU1|PHZtYXA6|PFZNQV)/, 'ESCAPED', () => 'the XML is base64-encoded; it must be sent as plain text'],
  [/^#EXTM3U/, 'MEDIA', () => 'the response is an HLS playlist, not VAST'],
  [/^.{4}ftyp/s, 'MEDIA', () => 'the response is a video file, not VAST'],
];

const xmlHint = (head: string): string =>
  /(<|\\u003c)\??(vast|xml|vmap)/i.test(head) ? '; the XML inside must be sent by itself' : '';

/** In the first tag: quotes that are escaped as in a JSON string, or once more often than the tags. */
const escapedQuotes = /^<[?\w:][^<>"']{0,200}?=\s*(\\["']|&(?:amp;)*(?:quot|apos|#34|#39);)/i;

/** @returns undefined for a text that may be XML */
export function detectNonXml(text: string): NonXml | undefined {
  const head = text.slice(0, HEAD).replace(/^[\s\uFEFF]+/, '');
  if (head === '') return text.trim() === '' ? { fault: 'EMPTY', reason: 'the document is empty' } : undefined;
  // The first two bytes of gzip (RFC 1952 §2.3.1); the second is not valid text.
  if (head.charCodeAt(0) === 0x1f && [0x8b, 0xfffd].includes(head.charCodeAt(1))) {
    return { fault: 'COMPRESSED', reason: 'the response is compressed but has no content-encoding header' };
  }
  for (const [pattern, fault, reason] of kinds) if (pattern.test(head)) return { fault, reason: reason(head) };
  const quote = escapedQuotes.exec(head)?.[1];
  if (quote !== undefined) {
    return { fault: 'ESCAPED', reason: `the XML is escaped: attributes are quoted with ${quote} instead of "` };
  }
  if (text.includes('<')) return undefined;
  const start = head.slice(0, 60).replace(/\s+/g, ' ').trim();
  return { fault: 'TEXT', reason: `the response is plain text ("${start}${text.length > 60 ? '…' : ''}"), not XML` };
}

/** @param input the bytes as received, or their text */
export function readAdXml(input: Uint8Array | string): AdXml | VastReadFailure {
  const text = typeof input === 'string' ? input : decodeXml(input);
  const nonXml = detectNonXml(text);
  if (nonXml) return { line: nonXml.fault === 'EMPTY' ? 1 : firstVisibleLine(text), ...nonXml, code: 100 };
  const read = readXml(text, options);
  if (!('root' in read)) return { line: read.line, fault: read.code, reason: read.reason, code: 100 };
  return { root: read.root, warnings: read.warnings.map(({ line, code, reason }) => ({ line, code, text: reason })) };
}

const firstVisibleLine = (text: string): number => text.slice(0, text.search(/\S|$/)).split('\n').length;

/** @param base URL of the document, after redirects */
export function warnInto(warnings: VastWarning[], base: string | undefined): Warn {
  const warn: Warn = (line, code, text) => {
    if (warnings.length < MAX_VAST_WARNINGS) warnings.push({ line, code, text });
  };
  return base === undefined ? warn : Object.assign(warn, { base });
}

/** Why a document cannot be read, with the VAST error code for Error URLs (VAST 4.2 §2.3.6.3). */
export type VastReadFailure = {
  readonly line: number;
  readonly fault: XmlFaultCode | NonXmlFault | 'ROOT' | 'NOT_READ';
  readonly reason: string;
  /** 900 when reading the document was not attempted or not finished. */
  readonly code: 100 | 101 | 900;
};
