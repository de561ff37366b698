// SPDX-License-Identifier: Apache-2.0
// Reads from drawn frames what a viewer sees, in whichever video element it is: content, or which second of which ad. The ads have
// one colour each, which grows brighter (test/browser/guided/colouredAds.ts).

/** Least distance of the colour of an ad from grey, of 255. */
const COLOURED = 20;
/** By the signs of the differences of blue and of red. */
const names = { '-+': 'amber', '++': 'rose', '--': 'green', '+-': 'blue' };
/** Brightness of the first frame, and how much it grows in a second. */
const DARKEST = 75;
const PER_SECOND = 10;
/** Milliseconds without a frame. */
const STILL = 500;

function pictureOf([r, g, b]) {
  const blue = -0.148 * r - 0.291 * g + 0.439 * b;
  const red = 0.439 * r - 0.368 * g - 0.071 * b;
  if (Math.min(Math.abs(blue), Math.abs(red)) < COLOURED) return { what: 'content', second: 0 };
  const what = names[`${blue < 0 ? '-' : '+'}${red < 0 ? '-' : '+'}`];
  return { what, second: (0.257 * r + 0.504 * g + 0.098 * b + 16 - DARKEST) / PER_SECOND };
}

/**
 * @param main the element of the content
 * @param date returns the date of its picture
 */
export function watchPictures(main, date) {
  const canvas = Object.assign(document.createElement('canvas'), { width: 1, height: 1 });
  const pixels = canvas.getContext('2d', { willReadFrequently: true });
  const runs = [];
  const stills = [];
  const known = new Set();
  let shownBy;

  function note(video, mediaTime) {
    pixels.drawImage(video, 0, 0, 1, 1);
    const { what, second } = pictureOf(pixels.getImageData(0, 0, 1, 1).data);
    const at = date();
    const seen = {
      second,
      date: at === undefined ? null : at + (video === main ? (mediaTime - main.currentTime) * 1000 : 0),
      media: mediaTime,
      wall: Date.now(),
    };
    const last = runs.at(-1);
    const length = last ? seen.wall - last.last.wall : 0;
    if (length > STILL) stills.push({ before: last.what, after: what, length, wall: seen.wall });
    if (last?.what === what && shownBy === video && second > last.last.second - 1) last.last = seen;
    else runs.push({ what, first: seen, last: seen });
    shownBy = video;
  }

  function follow(video) {
    known.add(video);
    const look = (_, { mediaTime }) => {
      // An element that is hidden shows frames of where it was sought to, but does not play.
      if (!video.paused) note(video, mediaTime);
      if (video.isConnected) video.requestVideoFrameCallback(look);
    };
    video.requestVideoFrameCallback(look);
  }

  const timer = setInterval(() => {
    for (const video of document.querySelectorAll('video')) if (!known.has(video)) follow(video);
  }, 20);
  return { seen: () => ({ pictures: runs, stills }), stop: () => clearInterval(timer) };
}
