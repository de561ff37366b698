// SPDX-License-Identifier: Apache-2.0
// Reports the time at which each beep starts, to the sample: the first loud sample after a fifth of a second of silence.
/* global AudioWorkletProcessor, registerProcessor, sampleRate, currentFrame */
const LOUD = 0.1;
const SILENCE = 0.2;

class Onset extends AudioWorkletProcessor {
  loudAt = Number.NEGATIVE_INFINITY;

  process([[samples]]) {
    samples?.forEach((sample, index) => {
      if (Math.abs(sample) < LOUD) return;
      const at = (currentFrame + index) / sampleRate;
      if (at - this.loudAt > SILENCE) this.port.postMessage(at);
      this.loudAt = at;
    });
    return true;
  }
}
registerProcessor('onset', Onset);
