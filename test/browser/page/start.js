// SPDX-License-Identifier: Apache-2.0
// window.begin starts a player with a URL, window.seen returns the report so far, window.seekTo seeks, and window.finish stops
// the player and returns the final report.
import { drivers } from './drivers.js';
import { hear } from './lipSync.js';
import { watchPictures } from './pictures.js';
import { watch } from './probe.js';

const video = document.querySelector('video');

window.begin = async (player, url, config, showsText, rate, hears, looks) => {
  video.defaultPlaybackRate = rate;
  video.playbackRate = rate;
  const errors = [];
  const note = (error) => errors.push({ ...error, at: video.currentTime, wall: Date.now() });
  video.addEventListener('error', () =>
    note({ fatal: true, what: `video ${video.error.code}`, why: video.error.message }),
  );
  const heard = hears ? await hear(video) : [];
  const driver = await drivers[player](video, url, note, config);
  if (showsText) driver.showText();
  const probe = watch(video, driver, showsText);
  const pictures = looks
    ? watchPictures(video, driver.date)
    : { seen: () => ({ pictures: [], stills: [] }), stop() {} };
  window.seen = () => ({ ...probe.seen(), ...pictures.seen(), errors, announced: driver.announced, heard });
  window.seekTo = probe.seekTo;
  window.finish = async () => {
    const seen = window.seen();
    probe.stop();
    pictures.stop();
    await driver.destroy();
    return seen;
  };
};
