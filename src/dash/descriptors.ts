// SPDX-License-Identifier: Apache-2.0
// Descriptors (ISO/IEC 23009-1 5.8.4): properties of an AdaptationSet or a Representation in addition to its attributes.

import { type Caption, isCaptionChannel } from '../timeline/asset/asset.ts';
import type { XmlElement } from '../xml/element.ts';
import { element } from '../xml/write.ts';
import { childrenNamed } from './mpdFault.ts';

type Descriptor = { readonly scheme: string; readonly value: string };

const descriptors = (levels: readonly XmlElement[], name: string): Descriptor[] =>
  levels
    .flatMap((level) => childrenNamed(level, name))
    .map(({ attributes }) => ({ scheme: attributes.schemeIdUri?.trim() ?? '', value: attributes.value?.trim() ?? '' }));

/** ISO/IEC 23001-8 ChannelConfiguration: speakers of index 0 to 20. */
const cicpChannels = [0, 1, 2, 3, 4, 5, 6, 8, 2, 3, 4, 7, 8, 24, 8, 12, 10, 12, 14, 12, 14];
/** ETSI TS 103 190-1 table of channel locations, highest bit first: pairs count twice. */
const dolbyChannels = [1, 1, 1, 1, 1, 2, 2, 1, 1, 2, 2, 2, 1, 2, 1, 1];

/** The number of audio channels: from the first AudioChannelConfiguration in one of three known schemes. */
export function channelCount(levels: readonly XmlElement[]): number | undefined {
  for (const { scheme, value } of descriptors(levels, 'AudioChannelConfiguration')) {
    const number = Number(value);
    if (scheme.includes(':23003:3:audio_channel_configuration:')) {
      if (Number.isInteger(number) && number > 0) return number;
    } else if (scheme === 'urn:mpeg:mpegB:cicp:ChannelConfiguration') {
      const channels = cicpChannels[number] ?? 0;
      if (channels > 0) return channels;
    } else if (scheme.includes(':audio_channel_configuration:2011') && /^[\da-f]{4}$/i.test(value)) {
      const mask = Number.parseInt(value, 16);
      const channels = dolbyChannels.reduce((sum, speakers, bit) => sum + (mask & (0x8000 >> bit) ? speakers : 0), 0);
      if (channels > 0) return channels;
    }
  }
  return undefined;
}

const roleScheme = 'urn:mpeg:dash:role:2011';

export const rolesOf = (levels: readonly XmlElement[]): string[] =>
  descriptors(levels, 'Role')
    .filter(({ scheme, value }) => scheme === roleScheme && value !== '')
    .map(({ value }) => value);

/**
 * Accessibility as a value of HLS CHARACTERISTICS: from the roles of 5.8.5.5, or from AudioPurposeCS (1: for the visually
 * impaired, 2: for the hearing impaired).
 */
export function characteristicsOf(levels: readonly XmlElement[], kind: string): string | undefined {
  const purposes = new Set(
    descriptors(levels, 'Accessibility').map(({ scheme, value }) =>
      scheme.startsWith('urn:tva:metadata:cs:AudioPurposeCS') ? `tva${value}` : scheme === roleScheme ? value : '',
    ),
  );
  for (const role of rolesOf(levels)) purposes.add(role);
  if (kind === 'audio' && (purposes.has('tva1') || purposes.has('description'))) {
    return 'public.accessibility.describes-video';
  }
  if (kind === 'text' && (purposes.has('tva2') || purposes.has('caption'))) {
    return 'public.accessibility.transcribes-spoken-dialog,public.accessibility.describes-music-and-sound';
  }
  return undefined;
}

/** EssentialProperty schemes (5.8.4.8) that only describe the media and require nothing of a player. */
const harmless = /^urn:mpeg:mpegB:cicp:|fontdownload|^http:\/\/dashif\.org\/metadata\//;

/** The first scheme that a player must support to show the media; undefined when there is none. */
export const essentialScheme = (levels: readonly XmlElement[]): string | undefined =>
  descriptors(levels, 'EssentialProperty').find(({ scheme }) => !harmless.test(scheme))?.scheme;

const trickModes = ['http://dashif.org/guidelines/trickmode', 'urn:mpeg:dash:trickmode'];

/** Trick-mode video and thumbnails (DASH-IF IOP 3.2.9, 6.2.6), which are not part of the presentation. */
export const isTrickPlay = (levels: readonly XmlElement[]): boolean =>
  [...descriptors(levels, 'EssentialProperty'), ...descriptors(levels, 'SupplementalProperty')].some(({ scheme }) =>
    trickModes.some((mode) => scheme.startsWith(mode)),
  );

// Closed captions of a video AdaptationSet, as Accessibility descriptors (ANSI/SCTE 214-1 §7.2, DASH-IF IOP 6.4).

const CEA_608 = 'urn:scte:dash:cc:cea-608:2015';
const CEA_708 = 'urn:scte:dash:cc:cea-708:2015';

/** Values are `CC1=eng;CC3=swe`, `eng` or empty for CEA-608, and `1=lang:eng;2=lang:deu,war:1` for CEA-708. */
export function readCaptions(levels: readonly XmlElement[]): Caption[] | undefined {
  const found = descriptors(levels, 'Accessibility').filter(({ scheme }) => scheme === CEA_608 || scheme === CEA_708);
  const captions = found.flatMap(({ scheme, value }) =>
    (value === '' ? ['CC1'] : value.split(';')).map((text, index): Caption => {
      const [left = '', right] = text.split('=').map((piece) => piece.trim());
      const named = right === undefined && !isCaptionChannel(left) ? [`${2 * index + 1}`, left] : [left, right];
      const [channel = '', parameters = ''] = named;
      const [language = ''] = parameters.replace(/^.*lang:/, '').split(',');
      const prefix = scheme === CEA_608 ? 'CC' : 'SERVICE';
      return { channel: /^\d/.test(channel) ? prefix + channel : channel, ...(language ? { language } : {}) };
    }),
  );
  const known = captions.filter(({ channel }) => isCaptionChannel(channel));
  return known.length > 0 ? known : undefined;
}

/** Accessibility elements; the schema places them before Role (ISO/IEC 23009-1 5.3.3.2). */
export function writeCaptions(captions: readonly Caption[]): string {
  const of = (prefix: string) => captions.filter(({ channel }) => channel.startsWith(prefix));
  const line21 = of('CC').map(({ channel, language }) => (language ? `${channel}=${language}` : channel));
  const services = of('SERVICE').map(({ channel, language = 'und' }) => `${channel.slice(7)}=lang:${language}`);
  const written = (schemeIdUri: string, values: readonly string[]) =>
    values.length === 0 ? '' : element('Accessibility', { schemeIdUri, value: values.join(';') });
  return written(CEA_608, line21) + written(CEA_708, services);
}
