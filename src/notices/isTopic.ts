// SPDX-License-Identifier: Apache-2.0
import { type Topic, topics } from './ports.ts';

/** A newer version of Midroll may publish others. */
export const isTopic = (text: string): text is Topic => (topics as readonly string[]).includes(text);
