// Extensions as the schema of VAST 4.2 allows them: elements only, and no attribute but the type. Ad servers write text and
// attributes there all the same; an element around them keeps both.
import type { Creative, InLineAd, VastExtension } from '../../vast/response.ts';
import { readXml } from '../../xml/read.ts';
import { escapeText, inlineElement } from '../../xml/write.ts';

function hasText(content: string): boolean {
  const read = readXml(`<Content>${content}</Content>`);
  return !('root' in read) || read.root.text.trim() !== '' || read.root.mixed !== undefined;
}

const isXml = (content: string): boolean => 'root' in readXml(`<Content>${content}</Content>`);

/** @param allowsAttributes an Extension has none of its own, a CreativeExtension any */
function tidy(extension: VastExtension, allowsAttributes: boolean): VastExtension {
  const { attributes, content } = extension;
  const isFine = (allowsAttributes || Object.keys(attributes).length === 0) && !hasText(content);
  if (isFine) return extension;
  const inner = isXml(content) ? content : escapeText(content);
  const wrapped = inlineElement('Content', allowsAttributes ? {} : attributes, inner);
  return { ...extension, attributes: allowsAttributes ? attributes : {}, content: wrapped };
}

const tidyCreative = (creative: Creative): Creative => ({
  ...creative,
  extensions: creative.extensions.map((one) => tidy(one, true)),
  ...(creative.companionAds === undefined
    ? {}
    : {
        companionAds: {
          ...creative.companionAds,
          companions: creative.companionAds.companions.map((one) => ({
            ...one,
            extensions: one.extensions.map((extension) => tidy(extension, true)),
          })),
        },
      }),
});

/** The ad with nothing in its extensions that the schema refuses. */
export const elementsOnly = (ad: InLineAd): InLineAd => ({
  ...ad,
  extensions: ad.extensions.map((one) => tidy(one, false)),
  creatives: ad.creatives.map(tidyCreative),
});
