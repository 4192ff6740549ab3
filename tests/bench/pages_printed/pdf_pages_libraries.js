// Sets the tables that `pdf_pages_libraries.py --make FOLDER` left for Node.js, by jsPDF with AutoTable, pdfmake,
// react-pdf, pdfkit, pdfkit-table and voilab-pdf-table:
//     node pdf_pages_libraries.js FOLDER NODE_MODULES
const fs = require("fs");
const path = require("path");

const [folder, modules] = process.argv.slice(2).map((given) => path.resolve(given));
const tables = JSON.parse(fs.readFileSync(path.join(folder, "tables.json"), "utf8"));
const before = "The table shows what was ordered in this month by all of the sites.";
const after = "All amounts are in thousands.";
const figures = (kind) => "idp".includes(kind);

function byJsPdf({ rows, kinds }, theme, file) {
  const { jsPDF } = require(path.join(modules, "jspdf"));
  const loaded = require(path.join(modules, "jspdf-autotable"));
  const autoTable = loaded.default || loaded.autoTable;
  const doc = new jsPDF();
  const foot = rows[rows.length - 1][0] === "Total" ? [rows[rows.length - 1]] : undefined;
  const columns = {};
  [...kinds].forEach((kind, at) => { if (figures(kind)) columns[at] = { halign: "right" }; });
  doc.setFontSize(10);
  doc.text(before, 14, 28);
  const body = rows.slice(1, foot ? -1 : undefined);
  autoTable(doc, { theme, startY: 36, head: [rows[0]], body, foot, showFoot: "lastPage", columnStyles: columns });
  doc.text(after, 14, Math.min(doc.lastAutoTable.finalY + 10, 285));
  fs.writeFileSync(file, Buffer.from(doc.output("arraybuffer")));
}

async function byPdfmake({ rows, kinds }, look, file) {
  const pdfmake = require(path.join(modules, "pdfmake"));
  pdfmake.setFonts({ Helvetica: { normal: "Helvetica", bold: "Helvetica-Bold" } });
  const body = rows.map((row, at) => row.map((text, column) => (
    { text, bold: at === 0, alignment: figures(kinds[column]) ? "right" : "left" })));
  const zebra = {
    fillColor: (row) => (row === 0 ? "#336699" : row % 2 ? null : "#cccccc"), hLineWidth: () => 0, vLineWidth: () => 0,
  };
  const table = { headerRows: 1, widths: [...kinds].map((_, at) => (at ? "auto" : "*")), body };
  const layout = look === "default" ? undefined : look === "zebra" ? zebra : look;
  const content = [before, { layout, table, margin: [0, 8, 0, 8] }, after];
  const made = pdfmake.createPdf({ defaultStyle: { font: "Helvetica", fontSize: 10 }, content });
  fs.writeFileSync(file, await made.getBuffer());
}

async function byReactPdf({ rows, kinds }, look, file) {
  const { createElement: make } = require(path.join(modules, "react"));
  const { Document, Page, View, Text, renderToFile } = await import(
    path.join(modules, "@react-pdf/renderer/lib/react-pdf.js"));
  const line = { borderStyle: "solid", borderColor: "#bfbfbf", borderWidth: 1 };
  const grid = look === "grid";
  const cell = (text, column, head) => make(
    View, { key: column, style: { width: `${100 / kinds.length}%`,
      ...(grid ? { ...line, borderLeftWidth: 0, borderTopWidth: 0 } : {}) } },
    make(Text, { style: { margin: grid ? "auto" : 3, marginTop: 5, fontSize: 10,
      textAlign: figures(kinds[column]) && !grid ? "right" : "left", color: head && look === "dark" ? "#fff" : "#000",
      fontFamily: head ? "Helvetica-Bold" : "Helvetica" } }, text));
  const row = (cells, at) => make(
    View, { key: at, wrap: false, style: { flexDirection: "row",
      ...(look === "dark" && at === 0 ? { backgroundColor: "#334" } : {}),
      ...(look === "striped" && at % 2 ? { backgroundColor: "#eee" } : {}),
      ...(look === "lines" ? { borderBottomWidth: 1, borderBottomColor: "#ddd" } : {}) } },
    cells.map((text, column) => cell(text, column, at === 0)));
  const frame = grid ? { ...line, display: "table", borderRightWidth: 0, borderBottomWidth: 0 } : { marginVertical: 10 };
  const said = (text) => make(Text, { style: { fontSize: 10, marginBottom: 8 } }, text);
  const table = make(View, { style: frame }, rows.map(row));
  await renderToFile(make(Document, null, make(
    Page, { size: "A4", style: { padding: 36 } }, said(before), table, said(after))), file);
}

async function byPdfkit(table, program, look, file) {
  const name = program === "pdfkittable" ? "pdfkit-table" : "pdfkit/js/pdfkit.js";
  const loaded = require(path.join(modules, name));
  const doc = new (loaded.PDFDocument || loaded)({ size: "A4", margin: 40 });
  const stream = fs.createWriteStream(file);
  const written = new Promise((done) => stream.on("finish", done));
  doc.pipe(stream);
  doc.fontSize(10).text(before).moveDown();
  const sides = [...table.kinds].map((kind) => (figures(kind) ? "right" : "left"));
  const [heads, ...body] = table.rows;
  if (program === "pdfkittable") {
    await doc.table({ headers: heads.map((label, at) => ({ label, align: sides[at] })), rows: body }, { width: 500 });
  } else if (program === "voilab") {
    const Table = require(path.join(modules, "voilab-pdf-table"));
    new Table(doc, { bottomMargin: 30 })
      .setColumnsDefaults({ headerBorder: "B", padding: [5, 5, 0, 0] })
      .addColumns(heads.map((header, at) => ({ id: `c${at}`, header, width: 500 / heads.length, align: sides[at] })))
      .addBody(body.map((row) => Object.fromEntries(row.map((text, at) => [`c${at}`, text]))));
  } else {
    const lined = (at) => (at ? { border: [0, 0, 1, 0], borderColor: "#aaa" } : { border: [0, 0, 2, 0] });
    doc.table({
      data: table.rows, columnStyles: sides.map((align) => ({ align })),
      ...(look === "bare" ? { defaultStyle: { border: false } } : {}), ...(look === "lines" ? { rowStyles: lined } : {}),
    });
  }
  doc.moveDown().text(after, 40);
  doc.end();
  await written;
}

(async () => {
  for (const [name, table] of Object.entries(tables)) {
    const [program, look] = name.split("-");
    const file = path.join(folder, `${name}.pdf`);
    if (program === "react") await byReactPdf(table, look, file);
    if (["pdfkit", "pdfkittable", "voilab"].includes(program)) await byPdfkit(table, program, look, file);
    if (program !== "node") continue;
    if (["striped", "grid", "plain"].includes(look)) byJsPdf(table, look, file);
    else await byPdfmake(table, look, file);
  }
})();
