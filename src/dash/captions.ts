// SPDX-License-Identifier: Apache-2.0
// Closed captions of a video AdaptationSet, as Accessibility descriptors (ANSI/SCTE 214-1 §7.2, DASH-IF IOP 6.4).
import type { Caption } from '../timeline/asset/caption.ts';
import { isCaptionChannel } from '../timeline/asset/caption.ts';
import type { XmlElement } from '../xml/element.ts';
import { element } from '../xml/write.ts';
import { descriptors } from './descriptors.ts';

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
      const language = parameters.replace(/^.*lang:/, '').split(',')[0]!;
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
