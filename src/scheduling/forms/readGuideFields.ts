// SPDX-License-Identifier: Apache-2.0
// Reads what XMLTV states of a programme for the guide. The order of elements does not matter. Source: xmltv.dtd.
import { isHttpUrl } from '../../channels/urlFaults.ts';
import { withoutUndefined } from '../../invariant.ts';
import { anyChildren, quoted, textOf } from '../../mrss/feedElements.ts';
import type { XmlElement } from '../../xml/element.ts';
import type { GuideFields, GuideImage } from '../schedule.ts';
import { readNumbers } from './episodeNumbers.ts';

/** @param ignore is called with a reason for each element that is left out */
export function readGuideFields(programme: XmlElement, ignore: (message: string) => void): GuideFields {
  const all = (name: string): readonly XmlElement[] => anyChildren(programme, name);
  const [titles, subtitles, descriptions] = [all('title'), all('sub-title'), all('desc')];
  const language = [titles, subtitles, descriptions].map(([first]) => first?.attributes.lang).find(Boolean);
  const [title, subtitle, description] = [titles, subtitles, descriptions].map((texts) => readTexts(texts, language));
  const categories = textsOf(all('category').filter((one) => isOf(one, language)));
  const ratings = all('rating').flatMap((rating) => {
    const value = textOf(anyChildren(rating, 'value')[0]);
    return value === undefined ? [] : [{ value, ...withoutUndefined({ system: rating.attributes.system }) }];
  });
  const numbers = all('episode-num').flatMap((number) => {
    const value = textOf(number);
    return value === undefined ? [] : [{ value, ...withoutUndefined({ system: number.attributes.system }) }];
  });
  const year = /^\d{4}/.exec(textOf(all('date')[0]) ?? '')?.[0];
  return {
    ...withoutUndefined({
      title: title?.own,
      titles: title?.others,
      subtitle: subtitle?.own,
      description: description?.own,
      descriptions: description?.others,
      language,
      categories: listOf(categories.length > 0 ? categories : textsOf(all('category'))),
      ratings: listOf(ratings),
      images: listOf(all('icon').flatMap((icon) => readImage(icon, ignore))),
      year: year === undefined ? undefined : Number(year),
      isRepeat: all('previously-shown').length > 0 ? true : undefined,
    }),
    ...readNumbers(numbers),
  };
}

const listOf = <Item>(items: readonly Item[]): readonly Item[] | undefined => (items.length > 0 ? items : undefined);

const textsOf = (elements: readonly XmlElement[]): string[] => elements.flatMap((one) => textOf(one) ?? []);

const isOf = ({ attributes: { lang } }: XmlElement, language: string | undefined): boolean =>
  lang === undefined || lang === language;

/** The first text of the language, which is absent if it is blank, and one for each language from the others. */
function readTexts(elements: readonly XmlElement[], language: string | undefined) {
  const first = elements.find((element) => isOf(element, language));
  const others = new Map<string, string>();
  for (const element of elements) {
    const { lang } = element.attributes;
    const text = textOf(element);
    if (element !== first && lang !== undefined && text !== undefined && !others.has(lang)) others.set(lang, text);
  }
  return { own: textOf(first), others: others.size > 0 ? Object.fromEntries(others) : undefined };
}

function readImage({ attributes }: XmlElement, ignore: (message: string) => void): GuideImage[] {
  const { src = '', width = '', height = '' } = attributes;
  if (!isHttpUrl(src)) ignore(`an icon is ignored: its src must be an http or https URL; got ${quoted(src)}`);
  const pixels = (text: string): number | undefined => (/^\d{1,6}$/.test(text) ? Number(text) : undefined);
  return isHttpUrl(src) ? [{ url: src, ...withoutUndefined({ width: pixels(width), height: pixels(height) }) }] : [];
}
