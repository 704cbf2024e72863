/** A file as its text: what a browser gets. */
declare module '*?raw' {
  const text: string
  export default text
}
