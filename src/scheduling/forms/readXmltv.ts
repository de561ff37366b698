// SPDX-License-Identifier: Apache-2.0
// Reads the programmes of a channel in XMLTV as entries. Source: the comments of xmltv.dtd.
import { isIsoTime } from '../../channels/isIsoTime.ts';
import { packagingOf } from '../../channels/packagingOf.ts';
import { isHttpUrl } from '../../channels/urlFaults.ts';
import { withoutUndefined } from '../../invariant.ts';
import { adChild, anyChildren, quoted, readSeconds } from '../../mrss/feedElements.ts';
import type { Sliced } from '../../time/sliced.ts';
import type { XmlElement } from '../../xml/element.ts';
import { readingXml } from '../../xml/read.ts';
import { type FlatEntry, type Reject, readFields } from './entryFields.ts';
import { readGuideFields } from './readGuideFields.ts';
import { ENTRIES_IN_SLICE, MAX_ELEMENTS, type ScheduleReading } from './reading.ts';

const MAX_XML_FAULTS = 1000;

export function* readingXmltv(text: string, into: ScheduleReading, channelId: string | undefined): Sliced<void> {
  const xml = yield* readingXml(text, { lenient: true, maxTolerated: MAX_XML_FAULTS, maxElements: MAX_ELEMENTS });
  yield;
  if (!('root' in xml)) return into.error({ line: xml.line }, `is not well-formed XML: ${xml.reason}`);
  const { root, warnings } = xml;
  if (root.local.toLowerCase() !== 'tv')
    return into.error({ line: root.line }, `is not XMLTV: the root element must be tv; got ${quoted(root.name)}`);
  // Nearly every document names the DTD, which adds nothing.
  for (const { line, code, reason } of warnings) if (code !== 'EXTERNAL_DTD') into.notice({ line }, reason);
  const programmes = anyChildren(root, 'programme');
  const other = programmes.find(({ attributes }) => attributes.channel !== programmes[0]?.attributes.channel);
  if (channelId === undefined && other !== undefined)
    return into.error(
      { line: other.line },
      'has programmes of several channels: name the one whose programmes are read',
    );
  const ofChannel = programmes.filter(({ attributes }) => channelId === undefined || attributes.channel === channelId);
  if (programmes.length > 0 && ofChannel.length === 0)
    into.error({ line: root.line }, `has no programmes of the channel ${quoted(channelId ?? '')}`);
  const withoutZone = ofChannel.find(({ attributes }) => /^\s*\d+\s*$/.test(attributes.start ?? ''));
  if (withoutZone !== undefined)
    into.notice({ line: withoutZone.line, field: 'start' }, 'times without a zone are read as UTC');
  for (const [index, programme] of ofChannel.entries()) {
    if (index % ENTRIES_IN_SLICE === 0) yield;
    const { line } = programme;
    const ignore = (message: string): void => into.notice({ line, field: 'images' }, message);
    if (!into.read(line, (reject) => fieldsOfProgramme(programme, ignore, reject))) return;
  }
}

function fieldsOfProgramme(programme: XmlElement, ignore: (message: string) => void, reject: Reject): FlatEntry {
  const { attributes = {} } = adChild(programme, 'entry') ?? {};
  const own = readFields(Object.entries(attributes), reject);
  const url = own.playlistId === undefined ? readUrl(programme, reject) : undefined;
  const times = readTimes(programme, reject);
  return { ...readGuideFields(programme, ignore), ...times, ...withoutUndefined({ url }), ...own };
}

function readUrl(programme: XmlElement, reject: Reject): string | undefined {
  const urls = anyChildren(programme, 'url').map(({ text }) => text.trim());
  const usable = urls.filter(isHttpUrl);
  const found = usable.find((url) => packagingOf(url) !== undefined) ?? usable[0];
  const got = urls.length === 0 ? 'no url element' : quoted(urls[0] ?? '');
  if (found === undefined) reject('url', `must be an http or https URL in a url element of the programme; got ${got}`);
  return found;
}

const EXPECTED_TIME = 'must be a time such as 20261201180000 +0000';

function readTimes(programme: XmlElement, reject: Reject): FlatEntry {
  const { start: written = '', stop } = programme.attributes;
  const start = isoOfXmltv(written);
  const end = stop === undefined ? undefined : isoOfXmltv(stop);
  if (start === undefined) reject('start', `${EXPECTED_TIME}; got ${quoted(written)}`);
  if (stop !== undefined && end === undefined) reject('stop', `${EXPECTED_TIME}; got ${quoted(stop)}`);
  if (start === undefined) return {};
  const duration = end === undefined ? readLength(programme) : (Date.parse(end) - Date.parse(start)) / 1000;
  if (end !== undefined && duration !== undefined && duration <= 0)
    reject('stop', `must be later than start, ${quoted(written)}; got ${quoted(stop ?? '')}`);
  return { start, ...withoutUndefined({ duration }) };
}

const TIME = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?\s*(?:([+-]\d\d):?(\d\d)|Z|UTC|GMT)?$/i;

/** Without a zone, a time is in UTC. */
export function isoOfXmltv(written: string): string | undefined {
  const [all, year, month, day, hour, minute, second = '00', zone, zoneMinutes] = TIME.exec(written.trim()) ?? [];
  const isUtc = zone === undefined || Number(`${zone}${zoneMinutes}`) === 0;
  const iso = `${year}-${month}-${day}T${hour}:${minute}:${second}${isUtc ? 'Z' : `${zone}:${zoneMinutes}`}`;
  return all !== undefined && isIsoTime(iso) ? iso : undefined;
}

const UNITS: Readonly<Record<string, number>> = { seconds: 1, minutes: 60, hours: 3600 };

function readLength(programme: XmlElement): number | undefined {
  const length = anyChildren(programme, 'length')[0];
  const unit = UNITS[length?.attributes.units ?? ''];
  const value = readSeconds(length?.text ?? '');
  return unit === undefined || value === undefined ? undefined : value * unit || undefined;
}
