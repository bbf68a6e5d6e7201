// Builds index.html into one self-contained dist/page.html: script and style inlined, and named by hash in the page's CSP.
import { createHash } from 'node:crypto';
import { defineConfig } from 'vite';

const kMarker = '/*LINKWORK_DATA*/';

const hashOf = (text) => `'sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}'`;

/** Puts the one script and the one style sheet into the HTML and emits it as page.html. */
function singleFile() {
  return {
    name: 'linkwork-single-file',
    apply: 'build',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const take = (test) => {
        const found = Object.values(bundle).filter((f) => test(f.fileName));
        if (found.length !== 1) throw new Error(`expected one file, found ${found.map((f) => f.fileName).join(', ') || 'none'}`);
        delete bundle[found[0].fileName];
        return String(found[0].type === 'chunk' ? found[0].code : found[0].source);
      };
      // A closing tag inside the script would end it early; the escaped form means the same in a string or a regular expression.
      const script = take((n) => n.endsWith('.js')).trim().replace(/<\/(script)/gi, '<\\/$1');
      const style = take((n) => n.endsWith('.css')).trim();
      let html = take((n) => n.endsWith('.html'));
      const csp = [
        "default-src 'none'",
        `script-src ${hashOf(script)}`,
        `style-src ${hashOf(style)}`,
        'img-src data: blob:',
        "base-uri 'none'",
        "form-action 'none'",
      ].join('; ');
      html = html
        .replace(/\s*<script type="module"[^>]*><\/script>/, '')
        .replace(/\s*<link rel="stylesheet"[^>]*>/, '')
        .replace('<meta charset="utf-8">', (m) => `${m}\n  <meta http-equiv="Content-Security-Policy" content="${csp}">`)
        .replace('</head>', () => `  <style>${style}</style>\n</head>`)
        .replace('</body>', () => `  <script type="module">${script}</script>\n</body>`);
      if (html.split(kMarker).length !== 2) throw new Error('the data marker must stand in the page exactly once');
      if (/<(script|link)[^>]+(src|href)=/.test(html)) throw new Error('the page still refers to another file');
      const size = Buffer.byteLength(html);
      if (size > kLargestPage) throw new Error(`the page has ${size} bytes, more than ${kLargestPage}`);
      this.emitFile({ type: 'asset', fileName: 'page.html', source: html });
    },
  };
}

const kLargestPage = 700_000;  // bytes, without data

/** The drawing brings its own shaders: the texts of those in three.js (100 kB) stay out of the page. */
function bareThree() {
  return {
    name: 'linkwork-bare-three',
    transform(code, id) {
      if (!/three[\\/]build[\\/]three\.module\.js$/.test(id)) return null;
      let dropped = 0;
      const bare = code.replace(/^(var|const) ([\w$]+) = "(?:[^"\\]|\\.){60,}";$/gm, (_, word, name) => (dropped++, `${word} ${name} = "";`));
      if (dropped < 100) throw new Error(`found only ${dropped} shader texts in three.js: it is built differently now`);
      return { code: bare, map: null };
    },
  };
}

/** `npx vite` serves the page with a sample mechanism: /?slider-pendulum, /?four-bar, /?gallery, /?conical-pendulum, /?space-gallery. */
function sampleData() {
  return {
    name: 'linkwork-sample-data',
    apply: 'serve',
    async transformIndexHtml(html, ctx) {
      const { samples, fillTemplate } = await import(new URL('test/sample.mjs', `file://${process.cwd()}/`).href);
      const space = await import(new URL('test/sample_space.mjs', `file://${process.cwd()}/`).href);
      Object.assign(samples, { 'conical-pendulum': space.conicalPendulum, 'space-gallery': space.spaceGallery });
      const name = (ctx.originalUrl ?? '').split('?')[1] ?? '';
      return fillTemplate(html, (samples[name] ?? samples['four-bar'])());
    },
  };
}

export default defineConfig({
  base: './',
  plugins: [bareThree(), singleFile(), sampleData()],
  build: {
    target: 'es2021',
    assetsInlineLimit: Number.MAX_SAFE_INTEGER,
    cssCodeSplit: false,
    modulePreload: false,
    reportCompressedSize: false,
  },
});
