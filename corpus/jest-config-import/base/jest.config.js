const { match } = require("./bench/options.js");

module.exports = { testMatch: match };
