// SPDX-License-Identifier: Apache-2.0
// VitePress's own theme with the console's colours, and fonts of the system.
import theme from 'vitepress/theme-without-fonts';
import './style.css';

export default theme;
