// SPDX-License-Identifier: Apache-2.0
import { flicks } from '../../time/units.ts';
import { cdata, element } from '../../xml/write.ts';
import { formatVastTime } from '../macros.ts';
import type { Icon, Linear, MediaFile, VastAd } from '../response.ts';
import { NO_URL } from '../values.ts';
import {
  adParameters,
  identifiedUrls,
  listElement,
  optionalUrl,
  resources,
  textElement,
  trackingEvents,
  url,
  urls,
  writeOffset,
} from './writeSharedElements.ts';

/** @param within the parent ad; a Wrapper contains no media, duration or parameters (VAST 4.2 §3.19) */
export const writeLinear = (linear: Linear, within: VastAd['kind']): string =>
  element(
    'Linear',
    { skipoffset: writeOffset(linear.skipOffset) },
    icons(linear),
    trackingEvents(linear.trackingEvents),
    ...(within === 'inLine' ? inLineParts(linear) : []),
    videoClicks(linear),
  );

const inLineParts = (linear: Linear): string[] => [
  adParameters(linear.adParameters),
  // Zero means unknown; readVast reads it as absent.
  element('Duration', {}, formatVastTime(linear.duration ?? flicks(0))),
  mediaFiles(linear),
];

function mediaFiles({ mediaFiles: files, mezzanines, interactiveFiles, closedCaptions }: Linear): string {
  const captions = closedCaptions.map(({ url: target, type, language }) =>
    url('ClosedCaptionFile', target, { type, language }),
  );
  return element(
    'MediaFiles',
    {},
    listElement('ClosedCaptionFiles', captions),
    ...(files.length > 0 ? files : [noMediaFile]).map(mediaFile),
    ...mezzanines.map(mezzanine),
    ...interactiveFiles.map(({ url: target, type, apiFramework, variableDuration }) =>
      url('InteractiveCreativeFile', target, { type, apiFramework, variableDuration }),
    ),
  );
}

/** The schema requires a MediaFile; readVast reads this one as absent. */
const noMediaFile: MediaFile = { url: NO_URL, delivery: 'progressive' };

/** The attributes that the schema requires of both; 0 and an empty type mean unknown. */
const sharedAttributes = ({ id, delivery, type = '', width = 0, height = 0, codec }: MediaFile) => ({
  id,
  delivery,
  type,
  width,
  height,
  codec,
});

const mediaFile = (file: MediaFile): string =>
  url('MediaFile', file.url, {
    ...sharedAttributes(file),
    bitrate: file.bitrate,
    minBitrate: file.minBitrate,
    maxBitrate: file.maxBitrate,
    scalable: file.scalable,
    maintainAspectRatio: file.maintainAspectRatio,
    fileSize: file.fileSize,
    mediaType: file.mediaType,
    apiFramework: file.apiFramework,
  });

const mezzanine = (file: MediaFile): string =>
  url('Mezzanine', file.url, {
    ...sharedAttributes(file),
    fileSize: file.fileSize,
    mediaType: file.mediaType,
  });

const videoClicks = ({ clickThrough, clickTrackings, customClicks }: Linear): string =>
  listElement('VideoClicks', [
    ...identifiedUrls('ClickTracking', clickTrackings),
    ...(clickThrough ? identifiedUrls('ClickThrough', [clickThrough]) : []),
    ...identifiedUrls('CustomClick', customClicks),
  ]);

const icons = (linear: Linear): string => listElement('Icons', linear.icons.map(icon));

const position = (text: string | undefined, words: RegExp): string | undefined =>
  text !== undefined && words.test(text) ? text : undefined;

function icon(one: Icon): string {
  const images = one.fallbackImages.map(({ url: target, altText, width, height }) =>
    element(
      'IconClickFallbackImage',
      { height, width },
      textElement('AltText', altText),
      target ? element('StaticResource', {}, cdata(target)) : '',
    ),
  );
  return element(
    'Icon',
    {
      program: one.program,
      width: one.width,
      height: one.height,
      xPosition: position(one.xPosition, /^(\d+|left|right)$/),
      yPosition: position(one.yPosition, /^(\d+|top|bottom)$/),
      duration: one.duration === undefined ? undefined : formatVastTime(one.duration),
      offset: one.offset === undefined ? undefined : formatVastTime(one.offset),
      apiFramework: one.apiFramework,
      pxratio: one.pxratio,
    },
    ...resources(one),
    listElement('IconClicks', [
      ...(images.length > 0 ? [element('IconClickFallbackImages', {}, ...images)] : []),
      ...(one.clickThrough ? [optionalUrl('IconClickThrough', one.clickThrough)] : []),
      ...identifiedUrls('IconClickTracking', one.clickTrackings),
    ]),
    ...urls('IconViewTracking', one.viewTrackings),
  );
}
