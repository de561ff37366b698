// SPDX-License-Identifier: Apache-2.0
// Makes extensions valid against the schema of VAST 4.2, which allows elements only and no attribute but `type`. Ad servers
// also write text and other attributes; these are moved into a wrapping element.
import type { Creative, InLineAd, VastExtension } from '../../vast/response.ts';
import { readXml } from '../../xml/read.ts';
import { escapeText, inlineElement } from '../../xml/write.ts';

function hasText(content: string): boolean {
  const read = readXml(`<Content>${content}</Content>`);
  return !('root' in read) || read.root.text.trim() !== '' || read.root.mixed !== undefined;
}

const isXml = (content: string): boolean => 'root' in readXml(`<Content>${content}</Content>`);

/** @param allowsAttributes the schema allows other attributes on CreativeExtension, but not on Extension */
function tidy(extension: VastExtension, allowsAttributes: boolean): VastExtension {
  const { attributes, content } = extension;
  const isValid = (allowsAttributes || Object.keys(attributes).length === 0) && !hasText(content);
  if (isValid) return extension;
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

/** @returns the ad with extensions that are valid against the schema */
export const elementsOnly = (ad: InLineAd): InLineAd => ({
  ...ad,
  extensions: ad.extensions.map((one) => tidy(one, false)),
  creatives: ad.creatives.map(tidyCreative),
});
