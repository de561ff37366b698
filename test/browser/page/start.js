// window.begin starts a player on a URL; window.finish ends it and says what was seen.
import { drivers } from './drivers.js';
import { watch } from './probe.js';

const video = document.querySelector('video');

window.begin = async (player, url, config, wantsText) => {
  const errors = [];
  const note = (error) => errors.push({ ...error, at: video.currentTime });
  video.addEventListener('error', () =>
    note({ fatal: true, what: `video ${video.error.code}`, why: video.error.message }),
  );
  const driver = await drivers[player](video, url, note, config);
  if (wantsText) driver.showText();
  const report = watch(video, driver);
  window.announced = driver.announced;
  window.finish = async () => {
    const seen = { ...report(), errors, announced: driver.announced };
    await driver.destroy();
    return seen;
  };
};
