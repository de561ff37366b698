// SPDX-License-Identifier: Apache-2.0
import type { RenditionKind } from './asset.ts';

export const hasVideo = (kind: RenditionKind): boolean => kind === 'video' || kind === 'muxed';
export const hasAudio = (kind: RenditionKind): boolean => kind === 'audio' || kind === 'muxed';
