// SPDX-License-Identifier: Apache-2.0
// Writes programmes as XMLTV: the guide of a channel, and a schedule. The elements of a programme are in the order of xmltv.dtd.
import { AD_NAMESPACE } from '../../mrss/feedElements.ts';
import { finish, type Sliced } from '../../time/sliced.ts';
import { type AttributeValue, element, escapeText, xmlDeclaration } from '../../xml/write.ts';
import type { GuideFields, GuideImage } from '../schedule.ts';
import { writtenNumbers } from './episodeNumbers.ts';

export type GuideChannel = {
  readonly id: string;
  readonly displayNames: readonly { readonly lang?: string; readonly text: string }[];
  readonly icon?: GuideImage;
};

/** Milliseconds since 1970. */
type Aired = { readonly startsAt: number; readonly endsAt: number };
export type GuideProgramme = GuideFields &
  Aired & {
    readonly id: string;
    /** Seconds without breaks, if they are known. */
    readonly contentSeconds?: number;
  };

export type Guide = { readonly channel: GuideChannel; readonly programmes: readonly GuideProgramme[] };

/** The guide as application/xml in UTF-8. */
export const writeXmltv = (guide: Guide): string => finish(writingXmltv(guide));

export function* writingXmltv({ channel, programmes }: Guide): Sliced<string> {
  const elements: string[] = [];
  for (const [index, programme] of programmes.entries()) {
    if (index % PROGRAMMES_IN_SLICE === 0) yield;
    elements.push(programmeElement(programme, channel.id));
  }
  return xmltvOf(channel, elements);
}

const PROGRAMMES_IN_SLICE = 50;

/** The guide as a plain object. Times are in ISO 8601. */
export const guideJson = ({ channel, programmes }: Guide) => ({
  channel,
  programmes: programmes.map(({ id, startsAt, endsAt, isHidden: _, ...fields }) => ({
    id,
    start: new Date(startsAt).toISOString(),
    end: new Date(endsAt).toISOString(),
    ...fields,
  })),
});

/** @param namespaces those of elements that are not of XMLTV */
export function xmltvOf(
  { id, displayNames, icon }: GuideChannel,
  programmes: readonly string[],
  namespaces: Readonly<Record<string, string>> = {},
): string {
  const names = displayNames.length === 0 ? [{ text: id }] : displayNames;
  const channel = element(
    'channel',
    { id },
    ...names.map(({ lang, text }) => textElement('display-name', text, { lang })),
    icon === undefined ? '' : iconElement(icon),
  );
  return `${xmlDeclaration}${element('tv', { ...namespaces, 'generator-info-name': 'Midroll' }, channel, ...programmes)}\n`;
}

/** What a schedule states of a programme, and a guide does not. */
export type OwnFields = {
  readonly url: string | undefined;
  /** As texts, for what XMLTV cannot express. */
  readonly fields: Readonly<Record<string, AttributeValue>>;
};

export const OWN_NAMESPACE = { 'xmlns:ad': AD_NAMESPACE } as const;

export function programmeElement(
  programme: GuideFields & Omit<Aired, 'endsAt'> & { readonly endsAt?: number; readonly contentSeconds?: number },
  channel: string,
  own?: OwnFields,
): string {
  const { startsAt, endsAt, language, contentSeconds, categories = [], ratings = [], images = [], year } = programme;
  const titles = textElements('title', programme.title, programme.titles, language, own !== undefined);
  const stop = endsAt === undefined ? undefined : xmltvTime(endsAt);
  return element(
    'programme',
    { start: xmltvTime(startsAt), stop, channel },
    ...(titles.length === 0 ? [element('title')] : titles),
    ...textElements('sub-title', programme.subtitle, {}, language, false),
    ...textElements('desc', programme.description, programme.descriptions, language, own !== undefined),
    year === undefined ? '' : textElement('date', String(year).padStart(4, '0')),
    ...categories.map((category) => textElement('category', category)),
    contentSeconds === undefined ? '' : textElement('length', String(Math.round(contentSeconds)), { units: 'seconds' }),
    ...images.map(iconElement),
    own?.url === undefined ? '' : textElement('url', own.url),
    ...writtenNumbers(programme).map(({ system, value }) => textElement('episode-num', value, { system })),
    programme.isRepeat ? element('previously-shown') : '',
    ...ratings.map(({ system, value }) => element('rating', { system }, textElement('value', value))),
    own === undefined ? '' : element('ad:entry', own.fields),
  );
}

const textElement = (name: string, text: string, attributes: Readonly<Record<string, AttributeValue>> = {}): string =>
  element(name, attributes, escapeText(text));

/** @param isMarked whether texts in other languages follow an empty element if there is no other text, so that it stays absent */
function textElements(
  name: string,
  text: string | undefined,
  others: Readonly<Record<string, string>> = {},
  lang: string | undefined,
  isMarked: boolean,
): string[] {
  const translated = Object.entries(others).map(([other, value]) => textElement(name, value, { lang: other }));
  if (text !== undefined) return [textElement(name, text, { lang }), ...translated];
  return isMarked && translated.length > 0 ? [element(name), ...translated] : translated;
}

const iconElement = ({ url, width, height }: GuideImage): string => element('icon', { src: url, width, height });

/** The nearest one, in milliseconds. */
export const wholeSecond = (millis: number): number => Math.round(millis / 1000) * 1000;

/** In UTC. */
export const xmltvTime = (millis: number): string =>
  `${new Date(wholeSecond(millis)).toISOString().slice(0, 19).replace(/[-:T]/g, '')} +0000`;
