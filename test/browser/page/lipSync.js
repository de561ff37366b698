// SPDX-License-Identifier: Apache-2.0
// Measures sound against picture at the output: flashes are read from drawn frames, beeps from the element's audio graph.

/** Brightness, of 255. */
const BRIGHT = 128;
/** Milliseconds. A beep belongs to the nearest flash. */
const NEAR = 450;

/** @returns what was heard so far; it grows */
export async function hear(video) {
  const context = new AudioContext();
  await context.audioWorklet.addModule('onset.js');
  const onset = new AudioWorkletNode(context, 'onset');
  video.removeAttribute('muted'); // video.js sets what the attribute states
  video.muted = false;
  const source = context.createMediaElementSource(video);
  source.connect(onset);
  source.connect(context.destination);
  await context.resume();

  const canvas = Object.assign(document.createElement('canvas'), { width: 1, height: 1 });
  const pixels = canvas.getContext('2d', { willReadFrequently: true });
  const heard = [];
  const flashes = [];
  const beeps = [];
  let isBright = false;
  // A flash is drawn and a beep is heard at about the same time, in any order.
  const match = () => {
    while (beeps.length > 0 && performance.now() - beeps[0].time > 2 * NEAR) {
      const { time, at } = beeps.shift();
      const late = flashes.map((flash) => time - flash).sort((a, b) => Math.abs(a) - Math.abs(b))[0];
      if (late !== undefined && Math.abs(late) < NEAR) heard.push({ at, late });
      while (flashes.length > 10) flashes.shift();
    }
  };
  const look = (_, { expectedDisplayTime }) => {
    pixels.drawImage(video, 0, 0, 1, 1);
    const wasBright = isBright;
    isBright = pixels.getImageData(0, 0, 1, 1).data[0] > BRIGHT;
    if (isBright && !wasBright) flashes.push(expectedDisplayTime);
    match();
    video.requestVideoFrameCallback(look);
  };
  video.requestVideoFrameCallback(look);
  onset.port.onmessage = ({ data }) => {
    const { contextTime, performanceTime } = context.getOutputTimestamp();
    beeps.push({ time: performanceTime + (data - contextTime) * 1000, at: video.currentTime });
  };
  return heard;
}
