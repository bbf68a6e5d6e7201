#include "linkwork/read/document.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace linkwork {
namespace document_test {

Document parsed(const std::string& text) {
  Diagnostics diagnostics;
  auto document = parseDocument(text, "x.toml", diagnostics);
  EXPECT_TRUE(document.has_value()) << diagnostics.format();
  return document ? *document : Document{};
}

std::string errorsOf(const std::string& text) {
  Diagnostics diagnostics;
  EXPECT_FALSE(parseDocument(text, "x.toml", diagnostics).has_value());
  return diagnostics.format();
}

// "line:column" of the first place where the decoded string holds `needle`.
std::string placeOf(const Document& document, const Node& node, std::string_view needle) {
  const Source source = document.placeInside(node, node.text.find(needle));
  return std::to_string(source.line) + ":" + std::to_string(source.column);
}

TEST(Document, KeepsTheOrderOfTheFile) {
  const Document document = parsed("zeta = 1\nalpha = { y = 2, x = 3 }\n[beta]\nq = 1\n");
  ASSERT_EQ(document.root.children.size(), 3U);
  EXPECT_EQ(document.root.children[0].key, "zeta");
  EXPECT_EQ(document.root.children[1].key, "alpha");
  EXPECT_EQ(document.root.children[1].children[0].key, "y");
  EXPECT_EQ(document.root.children[2].key, "beta");
}

TEST(Document, PlacesACharacterInsideEveryKindOfString) {
  const Document document = parsed(
      "a = \"one two\"\n"
      "b = 'one two'\n"
      "c = \"\\u017c\\t two\"\n"
      "d = \"\"\"\none\n  two\"\"\"\n"
      "\"\xC5\xBC\" = \"\xC5\xBC two\"\n"
      "e = \"\"\"one \\\n   two\"\"\"\n"
      "f = '''\r\none\r\ntwo'''\n"
      "g = \"\\U0001F600two\"\n");
  EXPECT_EQ(placeOf(document, *document.root.find("a"), "two"), "1:10");
  EXPECT_EQ(placeOf(document, *document.root.find("b"), "two"), "2:10");
  EXPECT_EQ(placeOf(document, *document.root.find("c"), "two"), "3:15");
  EXPECT_EQ(placeOf(document, *document.root.find("d"), "two"), "6:3");
  EXPECT_EQ(placeOf(document, *document.root.find("\xC5\xBC"), "two"), "7:10");
  EXPECT_EQ(placeOf(document, *document.root.find("e"), "two"), "9:4");
  EXPECT_EQ(placeOf(document, *document.root.find("g"), "two"), "13:16");
}

TEST(Document, AByteOrderMarkDoesNotShiftColumns) {
  const Document document = parsed(
      "\xEF\xBB\xBF"
      "a = \"one two\"\n");
  EXPECT_EQ(placeOf(document, *document.root.find("a"), "two"), "1:10");
}

TEST(Document, SyntaxErrorsPointAtTheirPlace) {
  EXPECT_EQ(errorsOf("a = 1\nb = \n"),
            "x.toml:2:5: error: not valid TOML: key-value pair: expected value, but the line ends here.\n");
  EXPECT_EQ(errorsOf("a = 1\na = 2\n"),
            "x.toml:2:5: error: not valid TOML: key-value pair: cannot redefine existing integer 'a'.\n");
  EXPECT_EQ(errorsOf("a = { b = 1"), "x.toml:1:12: error: not valid TOML: inline table: the file ends too early.\n");
  EXPECT_EQ(errorsOf("a b = 1"), "x.toml:1:3: error: not valid TOML: key-value pair: expected '=', saw 'b'.\n");
  EXPECT_EQ(errorsOf("a = \"\xFF\"\n"), "x.toml:1:5: error: the file is not UTF-8 text here.\n");
}

TEST(Document, DeepNestingIsRefusedAndNotACrash) {
  EXPECT_EQ(errorsOf("a = " + std::string(100000, '[')),
            "x.toml:1:261: error: not valid TOML: value: exceeded maximum nested value depth of 256.\n");
  std::string dotted = "a";
  for (int i = 0; i < 1000000; ++i) dotted += ".a";
  EXPECT_EQ(errorsOf(dotted + " = 1"), "x.toml:1:34: error: a key has more than 16 dots.\n");
  EXPECT_EQ(errorsOf("x = 1\n[" + dotted + "]"), "x.toml:2:35: error: a key has more than 16 dots.\n");
  EXPECT_EQ(errorsOf("x = {" + dotted + " = 1}"), "x.toml:1:39: error: a key has more than 16 dots.\n");
}

TEST(Document, DotsInStringsAndCommentsAreNotKeys) {
  const std::string dots(100, '.');
  parsed("a = \"" + dots + "\" # " + dots + "\nb = '" + dots + "'\nc = \"\"\"\"" + dots + "\n\\\"" + dots +
         "\"\"\"\"\nd = '''" + dots + "'''\n");
}

TEST(Document, FilesThatCannotBeReadSayWhy) {
  const auto message = [](const std::string& path) {
    Diagnostics diagnostics;
    EXPECT_FALSE(readTextFile(path, diagnostics).has_value());
    return diagnostics.format();
  };
  const std::string folder = testing::TempDir();
  EXPECT_EQ(message(folder + "nowhere.toml"), folder + "nowhere.toml: error: there is no such file.\n");
  EXPECT_EQ(message(folder), folder + ": error: this is a folder, not a file.\n");
  const std::string huge = folder + "linkwork_huge.toml";
  {
    std::ofstream stream(huge);
    stream.seekp((std::streamoff{64} << 20) + 1);
    stream << "x";
  }
  EXPECT_EQ(message(huge), huge + ": error: the file is larger than 64 MiB.\n");
  std::filesystem::remove(huge);
}

// Texts on which the parser's own assertions do not hold.
TEST(Document, RefusesWhatTheParserDidNotExpect) {
  for (const char* text : {"[;a]\n", "a = { b = [\"A\",  }\n"}) {
    Diagnostics diagnostics;
    EXPECT_FALSE(parseDocument(text, "m.toml", diagnostics)) << text;
    EXPECT_TRUE(diagnostics.hasErrors());
  }
}

}  // namespace document_test
}  // namespace linkwork
