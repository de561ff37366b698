// window.begin starts a player on a URL; window.seen says what was seen until now; window.finish ends it and says it too.
import { drivers } from './drivers.js';
import { watch } from './probe.js';

const video = document.querySelector('video');

window.begin = async (player, url, config, wantsText) => {
  const errors = [];
  const note = (error) => errors.push({ ...error, at: video.currentTime, wall: Date.now() });
  video.addEventListener('error', () =>
    note({ fatal: true, what: `video ${video.error.code}`, why: video.error.message }),
  );
  const driver = await drivers[player](video, url, note, config);
  window.showText = driver.showText;
  if (wantsText) driver.showText();
  const probe = watch(video, driver);
  window.seen = () => ({ ...probe.seen(), errors, announced: driver.announced });
  window.finish = async () => {
    const seen = window.seen();
    probe.stop();
    await driver.destroy();
    return seen;
  };
};
