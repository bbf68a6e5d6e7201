// Small models that random mechanisms were shrunk to when they found something, each with the methods that failed.
#include <gtest/gtest.h>

#include "examine.hpp"

namespace linkwork::random_mechanisms {
namespace found_test {

struct Found {
  const char* name;
  const char* text;
  std::vector<Trial> trials;
};
std::ostream& operator<<(std::ostream& out, const Found& found) { return out << found.name; }

// Coordinates of joints are zero in the drawn pose, and these mechanisms are at rest there or nearly so: what an
// iteration changes at round-off is not small beside them.
const Found kLocked{"hinge_and_distance_lock",
                    R"(
linkwork = 1
space = "spatial"
gravity = [0, 0, -9.81]
[points]
P1 = [0.06, 0.11, -0.28]
P2 = [0.26, 0.21, -0.41]
[bodies]
b1 = { position = [0.08, -0.02, -0.37], mass = 0.3, inertia = [0.002, 0.003, 0.003] }
b2 = { position = [-0.2, -0.46, -0.5], mass = 1.2, inertia = [0.01, 0.02, 0.02] }
[joints]
j1 = { prismatic = ["ground", "b1"], at = [-0.2, 0.33, -0.22], axis = [-0.34, -0.29, -0.89] }
j2 = { revolute = ["b1", "b2"], at = [-0.1, -0.36, -0.46], axis = [0.96, 0.1, -0.24] }
j3 = { distance = ["b2.P1", "b1.P2"] }
[initial]
j2.rate = { value = 0.3, weight = 1 }
[simulate]
until = 0.5
)",
                    {{"recursive", "index3", "generalized_alpha", false}, {"recursive", "index3", "radau5", false}}};

const Found kSwings{"universal_and_distance",
                    R"(
linkwork = 1
space = "spatial"
gravity = [0, 0, -9.81]
[points]
P1 = [0.08, -0.01, 0.1]
P2 = [0.2, -0.05, 0.07]
[bodies]
b1 = { position = [0.095, 0.22, -0.13], mass = 0.64, inertia = [0.0063, 0.012, 0.0096] }
[joints]
j1 = { universal = ["ground", "b1"], at = [-0.1441, 0.4006, 0.09904], axes = [[-0.9461, -0.3041, -0.1113], [-0.08073, -0.1114, 0.9905]] }
j2 = { distance = ["ground.P1", "b1.P2"] }
[simulate]
until = 0.5
)",
                    {{"recursive", "index3", "generalized_alpha", false}}};

const Found kRigid{"screw_and_ball_lock",
                   R"(
linkwork = 1
space = "spatial"
gravity = [0, 0, 0]
[bodies]
b1 = { position = [-0.02, -0.4, -0.3], mass = 5, inertia = [0.04, 0.09, 0.08] }
b2 = { position = [-0.03, -0.8, -0.6], mass = 1, inertia = [0.007, 0.03, 0.03] }
[joints]
j1 = { revolute = ["ground", "b1"], at = [0.009, -0.2, 0.07], axis = [0.9, -0.2, -0.3] }
j2 = { screw = ["b1", "b2"], at = [-0.2, -0.7, -0.6], axis = [-0.7, 0.3, -0.7], pitch = -0.3 }
j6 = { spherical = ["ground", "b2"], at = [0.08, -0.9, -0.3] }
[initial]
j1.rate = { value = 0.7, weight = 1 }
[simulate]
until = 0.5
)",
                   {{"hamiltonian", "none", "rattle", false}}};

// Wishes for rates that joints forbid: what is left of them in the velocities was 1e-8 m/s, and impulses refused the
// start.
const Found kWishes{"forbidden_wishes",
                    R"(
linkwork = 1
space = "planar"
gravity = [0, -10]
[bodies]
b4 = { position = [-0.02, 0.2], mass = 0.9, inertia = 0.01 }
b6 = { position = [-0.2, 0.5], mass = 0.3, inertia = 0.005 }
[joints]
j5 = { prismatic = ["b4", "ground"], at = [0.07, 0.6], axis = [-1, -0.3] }
j6 = { revolute = ["ground", "b6"], at = [0.2, 0.2] }
j8 = { revolute = ["b6", "b4"], at = [0.4, 0.5] }
j9 = { revolute = ["b4", "ground"], at = [0.5, 0.6] }
[initial]
j8.rate = { value = -4, weight = 1 }
[simulate]
until = 0.1
)",
                    {{"hamiltonian", "none", "dop853", false}}};

// Near a pose of lower rank all the time, but never going through one: velocities taken from both sides, over a way as
// long as the distance, were off by a tenth.
const Found kBesideLowerRank{"beside_lower_rank",
                             R"model(
linkwork = 1
space = "planar"
gravity = [0, -9.81]
[bodies]
b1 = { position = [-0.59, -0.32], mass = 3.7, inertia = 0.07 }
b2 = { position = [-0.73, -0.57], mass = 0.2, inertia = 0.001 }
b3 = { position = [-1.46, 0.01], mass = 3.1, inertia = 0.07 }
b4 = { position = [-0.84, -0.04], mass = 0.7, inertia = 0.005 }
[joints]
j1 = { revolute = ["ground", "b1"], at = [-0.529, -0.18] }
j2 = { revolute = ["b1", "b2"], at = [-0.946, -0.245] }
j3 = { revolute = ["b2", "b3"], at = [-1.179, -0.181] }
j4 = { prismatic = ["ground", "b4"], at = [-0.489, -0.318], axis = [0.04, 1] }
j5 = { revolute = ["ground", "b3"], at = [-0.974, -0.113] }
j6 = { coupling = { "j2.angle" = 1, "j4.slide" = 1.667 } }
[drives]
d1 = { joint = "j4", slide = "-0.1367*tanh(0.7729*t^2)" }
[simulate]
until = 0.4
)model",
                             {{"quasivelocity", "projection", "dop853", false},
                              {"quasivelocity", "projection", "rk4", false},
                              {"quasivelocity", "projection", "radau5", true}}};

// The cable is drawn at its free length: whether its damper acted at the start was decided by round-off, and by that
// formulations differed.
const Found kDrawnTaut{
    "cable_drawn_at_its_free_length",
    R"model(
linkwork = 1
space = "planar"
gravity = [0, -9.81]
[points]
P1 = [0.6953497820513513, 0.13156030426636736]
P2 = [0.27552220005551525, 0.0024587213940492135]
P3 = [0.6472460009609923, 0.22345408343002635]
P4 = [0.32655680764159023, 0.6154289020304747]
P5 = [0.30902518110135063, 0.06643373492634791]
P6 = [0.22710864724321353, 0.5416260538267192]
[bodies]
b1 = { position = [0.4428208528837766, 0.35753544992572867], angle = 0.26263579765880873, mass = 0.626156, inertia = 0.00537341 }
[joints]
j1 = { revolute = ["ground", "b1"], at = [0.31426900510707023, 0.06252374855309557] }
[loads]
l1 = { spring = ["b1.P1", "ground.P2"], stiffness = 1034, damping = 19.6, tension_only = true }
[initial]
j1.rate = { value = 0.9361, weight = 1 }
[simulate]
until = 1.1
)model",
    {{"hamiltonian", "projection", "arkode", false}, {"quasivelocity", "projection", "ode45", false}}};

// All hangs from j1, so that its force is unique; rounded lengths in the loop behind it made one direction of it seem
// open, and what was left without that was round-off.
const Found kHangsFromABridge{"all_hangs_from_one_joint",
                              R"model(
linkwork = 1
space = "spatial"
gravity = [0, 0, -9.81]
[bodies]
b1 = { position = [-0.4292086, -0.1886324, -0.1105668], rotation = { axis = [-0.1461247, 0.7311158, 0.6664212], angle = 1.37254 }, mass = 0.274597, inertia = [0.001518, 0.00882563, 0.00771256] }
b2 = { position = [-0.3237107, 0.1400493, -0.685529], rotation = { axis = [-0.09491665, -0.9946231, -0.04142037], angle = 2.2679 }, mass = 1.33028, inertia = [0.0204846, 0.0467738, 0.0495611], com = [0.130708, 0.113267, 0.0154642] }
b3 = { position = [0.1120983, 0.3952655, -0.7309465], rotation = { axis = [-0.7134657, -0.3904384, 0.5818286], angle = 0.640209 }, mass = 2.0841, inertia = [0.00486225, 0.0412413, 0.0373775], com = [-0.195758, -0.0281255, 0.0576832] }
b4 = { position = [0.2825947, 0.2221574, -0.1848135], rotation = { axis = [0.4160167, 0.3679008, -0.8316124], angle = 2.0203 }, mass = 0.961304, inertia = [0.0177001, 0.0302773, 0.0355041], com = [-0.0831948, -0.0859669, -0.00896872] }
[joints]
j1 = { revolute = ["ground", "b1"], at = [-0.161424, 0.1028997, 0.08841338], axis = [-0.7468041, -0.2773844, -0.6044349] }
j2 = { revolute = ["b1", "b2"], at = [-0.3834821, 0.08712433, -0.3424034], axis = [-0.5954963, -0.139027, -0.7912368] }
j3 = { revolute = ["b2", "b3"], at = [-0.045854, 0.2479822, -0.7642654], axis = [-0.1356423, 0.04462277, -0.9897525] }
j4 = { revolute = ["b3", "b4"], at = [0.1008048, 0.0205205, -0.4803867], axis = [0.001005039, -0.2241364, -0.9745573] }
j5 = { revolute = ["b1", "b4"], at = [0.3858853, 0.3445891, -0.2059619], axis = [0.4773822, 0.2414403, -0.8448744] }
[initial]
j1.rate = { value = -2.162, weight = 1 }
j2.rate = { value = 2.108, weight = 1 }
j3.rate = { value = 3.543, weight = 1 }
j4.rate = { value = 0.3155, weight = 1 }
j5.rate = { value = 3.157, weight = 1 }
[simulate]
until = 0.81
)model",
                              {{"hamiltonian", "projection", "cvode", false}}};

// A stage of a fixed step on the wrong side of the jump of the cable's damper: an error by the step times the jump.
const Found kJumps{"cable_comes_taut_at_speed",
                   R"model(
linkwork = 1
space = "planar"
gravity = [0, -9.81]
[points]
P1 = [-0.10586807361034267, 0.3100828380482067]
P2 = [0.2470876646125191, 0.09982009227622558]
[bodies]
b1 = { position = [-0.2115032539915066, 0.2161773720299427], angle = 0.12023723225501515, mass = 0.342005, inertia = 0.00278827 }
b2 = { position = [-0.23188865674823173, 0.04432026919230303], angle = 1.9411225679298045, mass = 0.320394, inertia = 0.00440664 }
[joints]
j1 = { revolute = ["ground", "b1"], at = [-0.24405665557770476, -0.11186000367268557] }
j2 = { revolute = ["b1", "b2"], at = [0.12615209003384376, -0.10672356532764765] }
[loads]
l1 = { actuator = "j2", torque = "-0.8834*sin(3.024*t)" }
l2 = { spring = ["b1.P1", "ground.P2"], stiffness = 28.48, damping = 8.536, free_length = 0.212, tension_only = true }
l3 = { force = ["-6.117*sin(11.86*t) - 2.752*b1.x", "-5.168"], on = "b1" }
[initial]
j2.rate = { value = 1.126, weight = 1 }
[simulate]
until = 0.83
)model",
                   {{"recursive", "projection", "rk4", false}}};

// Nothing moves but what the drive prescribes: the error estimate saw nothing, and between long steps velocities were
// off.
const Found kPrescribed{"drive_prescribes_all",
                        R"model(
linkwork = 1
space = "planar"
gravity = [0, -9.81]
[bodies]
b1 = { position = [-0.672, 0.311], angle = -2.62, mass = 0.34, inertia = 0.00278 }
[joints]
j1 = { revolute = ["ground", "b1"], at = [-0.531, 0.257] }
[drives]
d1 = { joint = "j1", angle = "-2.62 + 1.417*tanh(3.31*t^2)" }
[initial]
j1.rate = { value = 3.496, weight = 1 }
[simulate]
until = 1.18
)model",
                        {{"absolute", "ggl", "radau5", false}}};

// The order of elimination kept a row that the motion turns along those before it: open joints then turned
// accelerations by their gap over the third power of that angle ("a dead point").
const Found kTurned{"row_turned_along_others",
                    R"toml(
linkwork = 1
space = "spatial"
gravity = [0, 0, -9.81]
[bodies]
b1 = { position = [0.5577013542085623, 0.27300027199103005, 0.2182476618366322], rotation = { axis = [0.30836955107899483, 0.8140258935034279, 0.49220937076947746], angle = -2.25394 }, mass = 1.51593, inertia = [0.0172655, 0.0396262, 0.0560319] }
b2 = { position = [0.8225902789649157, 0.21689845257431778, 0.44333105023718977], rotation = { axis = [0.9987988884692005, 0.011936975687932729, 0.04752145835425603], angle = -1.78643 }, mass = 0.229968, inertia = [0.00310661, 0.00224611, 0.00441199], com = [0.111269, -0.0851589, -0.0123225] }
b3 = { position = [0.6476058743764689, 0.5196158866835997, 0.2014743071394428], rotation = { axis = [-0.4201181424400812, 0.6697725900317477, -0.612295209874175], angle = -1.38028 }, mass = 2.19018, inertia = [0.0276182, 0.0174188, 0.0179074] }
b4 = { position = [0.498591830973494, 0.8057021049019765, 0.5983801210506662], rotation = { axis = [0.12939479242841606, 0.7958661325694307, 0.5914846462262435], angle = -1.9537 }, mass = 3.697, inertia = [0.0482317, 0.0636725, 0.03133] }
b5 = { position = [0.25175828629335645, 1.1029055992360968, 1.2339732803345012], rotation = { axis = [0.6073427686297745, -0.559354845233428, 0.5641426402134551], angle = -2.31065 }, mass = 2.4477, inertia = [0.00307602, 0.00533985, 0.00598515] }
[joints]
j1 = { revolute = ["ground", "b1"], at = [0.41647176199963143, 0.19406403333879618, 0.23506513326552117], axis = [0.9794266726467367, -0.018370814631896274, -0.20096244942252992] }
j2 = { revolute = ["b1", "b2"], at = [0.8896505370837139, 0.5964458783090991, 0.37779420855660106], axis = [0.8902484945005118, 0.4469513154756362, 0.08770484384667851] }
j3 = { revolute = ["b2", "b3"], at = [0.6863791963346428, 0.4539529130081623, 0.3775437416874525], axis = [0.9109554711296343, 0.3945225153964524, 0.12046623786041485] }
j4 = { revolute = ["b3", "b4"], at = [0.5838834295946159, 0.6453715874165277, 0.5688350756586777], axis = [0.6810726075893819, 0.6268666580339786, 0.3783890804934927] }
j5 = { revolute = ["b4", "b5"], at = [0.48675050685819754, 0.9275837130505421, 0.8511818504144857], axis = [0.390128934753986, 0.7339394619612799, 0.5559966550652146] }
j6 = { revolute = ["b1", "b5"], at = [0.3726962193588786, 1.034444714594167, 1.3499575763778255], axis = [0.1992516226843422, 0.6097057884196417, 0.7671751054519689] }
[loads]
l1 = { force = ["5.84*sin(12.51*t)", "3.581", "-3.605*b3.z_rate"], on = "b3" }
l2 = { actuator = "j5", torque = "-1.255*tanh(2.592*t^2) - 0.2*j5.rate" }
[initial]
j1.rate = { value = -1.953, weight = 1 }
j3.rate = { value = -3.256, weight = 1 }
j5.rate = { value = 2.257, weight = 1 }
j6.rate = { value = -0.3413, weight = 1 }
[simulate]
until = 1.14
)toml",
                    {{"absolute", "none", "radau5", false}, {"absolute", "none", "dopri5", false}}};

// Comes near a pose of lower rank, to a relative pivot of 1.4e-5, without going through: velocities were taken from
// both sides of a pose that is none (12 J of 24 J appeared, and the run stopped).
const Found kNearMiss{
    "near_a_pose_of_lower_rank",
    R"toml(
linkwork = 1
space = "planar"
gravity = [0, -9.81]
[points]
P1 = [0.33360295462756495, -0.2678767380961596]
P2 = [0.31790795660837395, -0.7292004282480049]
[bodies]
b1 = { position = [0.19666798139648908, -0.10400197661872754], angle = 1.6201216021112792, mass = 4.54517, inertia = 0.0628762 }
b2 = { position = [0.31539902996484614, -0.4350639237991069], angle = -0.3492762928918949, mass = 1.1053, inertia = 0.0211904, com = [0.101917, 0.134696] }
b3 = { position = [-0.05646372513663411, -0.5611447081472164], angle = 0.5713976844623563, mass = 0.887028, inertia = 0.0268248, com = [-0.0159707, -0.0154861] }
b4 = { position = [-0.4348467782804609, -0.5780422856610989], angle = 2.950220785156854, mass = 4.9326, inertia = 0.0286738 }
[joints]
j1 = { distance = ["ground.P1", "b1.P2"] }
j2 = { revolute = ["ground", "b2"], at = [-0.032929705270042235, -0.4372759508985991] }
j3 = { revolute = ["b2", "b3"], at = [0.12206375801248392, -0.8842953807354428] }
j4 = { fixed = ["b3", "b4"], at = [-0.4711943163580301, -0.8848951383061563] }
j5 = { revolute = ["ground", "b3"], at = [-0.07249315132355486, -0.36022753459441054] }
j6 = { pin_slot = ["b1", "ground"], at = [-0.24436690760817942, 0.08781248419283942], axis = [-0.7130828339880827, -0.7010797899465684] }
j7 = { pin_slot = ["b1", "ground"], at = [-0.24436690760817942, 0.08781248419283942], axis = [-0.7130828339880827, -0.7010797899465684] }
[loads]
l1 = { bushing = ["ground", "b2"], at = [0.49400901940868386, -0.2310911631194889], stiffness = [278, 325, 7.17], damping = [3.91, 2.37, 0.0502] }
l2 = { rotational_spring = "j2", stiffness = 0.6471, damping = 0.318 }
[initial]
j5.rate = { value = 1.648, weight = 1 }
[simulate]
until = 0.84
)toml",
    {{"quasivelocity", "projection", "dopri5", false}, {"quasivelocity", "projection", "arkode", true}}};

// Which of the rows that repeat each other are left out has to change on the way, with `none` too.
const Found kOtherRows{"other_rows_left_out",
                       R"toml(
linkwork = 1
space = "spatial"
gravity = [0, 0, 0]
[bodies]
b1 = { position = [0.35735715499827564, 0.0019890592224645967, 0.27385473100480595], rotation = { axis = [0.9464178814462182, 0.3208287239255903, 0.03690695846489511], angle = -2.81079 }, mass = 0.262684, inertia = [0.00512149, 0.00228643, 0.00407946] }
b2 = { position = [0.10325109433967761, 0.43378910382516983, 0.6478031310054281], rotation = { axis = [-0.35722831374725605, 0.4535010224079691, -0.8165321515606221], angle = -2.86554 }, mass = 0.596409, inertia = [0.00639297, 0.0163428, 0.0103955] }
b3 = { position = [-0.06692188588893123, 0.45916244772276193, 0.26899792125946764], mass = 0.244017, inertia = [0.000166514, 0.00102335, 0.000976508], com = [-0.0339709, -0.0744349, -0.0178494] }
b4 = { position = [0.004096237241312917, 0.7177404275662039, 0.36895500752730503], rotation = { axis = [-0.9413209407547178, -0.13593668573043677, 0.30892734415923373], angle = -1.86753 }, mass = 2.41438, inertia = [0.0432075, 0.0316558, 0.0248213], com = [-0.15618, -0.137656, -0.0687155] }
b5 = { position = [0.4604246616304672, 0.32509954377097594, -0.12056065134980262], rotation = { axis = [-0.0010218644067601496, 0.8772801018838, -0.47997768555619724], angle = 2.4432 }, mass = 2.26628, inertia = [0.0166046, 0.0469895, 0.0321783], com = [-0.10729, -0.175253, -0.098717] }
[joints]
j1 = { revolute = ["ground", "b1"], at = [0.022058084940609946, -0.010681208270862897, 0.2528939167619944], axis = [-0.3395831571720171, -0.9179116244054316, -0.20523530190117645] }
j2 = { revolute = ["b1", "b2"], at = [0.4704938735669318, 0.1396597826130499, 0.5861896923942043], axis = [0.7848967480052997, -0.12783164251808873, 0.6062970939579314] }
j3 = { revolute = ["b2", "b3"], at = [-0.13399950410620212, 0.5575817036622703, 0.7224366773987471], axis = [-0.38941916044251135, 0.5950831706316997, 0.7030140379189971] }
j4 = { revolute = ["b3", "b4"], at = [-0.36895509971867085, 0.644691556012815, 0.09036809300830048], axis = [-0.6902259859547822, 0.6545139777322933, -0.30854422902689294] }
j5 = { revolute = ["b4", "b5"], at = [0.18902070663431675, 0.5230343077364525, 0.008792880809471326], axis = [0.200526874667452, 0.7276628392408617, -0.6559693323045154] }
j6 = { revolute = ["ground", "b5"], at = [0.5108490676391674, 0.13628854011991595, 0.1969904180049963], axis = [0.959186882130728, -0.14874366615831378, -0.24049084582602506] }
[loads]
l1 = { rotational_spring = "j1", stiffness = 1.88, damping = 0 }
[initial]
j1.rate = { value = 2.818, weight = 1 }
j2.rate = { value = 3.667, weight = 1 }
j3.rate = { value = -2.058, weight = 1 }
j4.rate = { value = -0.755, weight = 1 }
j6.rate = { value = -2.512, weight = 1 }
[simulate]
until = 1.17
)toml",
                       {{"quasivelocity", "none", "dop853", false}, {"quasivelocity", "none", "dopri5", false}}};

// Lifted to space, near a dead point: rows near dependence were taken for rounded ones and left open, though the axis
// that would make them repeat the others is 0.03 rad away.
const Found kNotRounded{"near_dependence_is_no_rounding",
                        R"toml(
linkwork = 1
space = "planar"
gravity = [0, -9.81]
[bodies]
b1 = { position = [-0.33888287508782333, 0.1591805996993359], angle = 1.980906350424342, mass = 0.292096, inertia = 0.0021069 }
b2 = { position = [-1.0497375038843428, -0.36685898809418005], angle = -2.8499746515181705, mass = 0.967375, inertia = 0.0109162, com = [0.189614, 0.00671203] }
b3 = { position = [-1.3544694344158026, -0.49986811815445115], angle = 0.2552219526949653, mass = 0.860108, inertia = 0.0115837, com = [-0.126837, 0.193245] }
b4 = { position = [-0.5227016413206356, -0.8421603630317307], angle = 2.384788554721628, mass = 0.265102, inertia = 0.00121893, com = [-0.0610229, -0.146226] }
b5 = { position = [-1.1161481097270012, -0.4867835431989984], angle = -1.1437171308803982, mass = 0.604062, inertia = 0.0161173, com = [-0.0170923, 0.114952] }
b6 = { position = [-0.34481819621179755, -0.9568031110767894], angle = -1.5900309399245365, mass = 0.212082, inertia = 0.00619351, com = [-0.109012, -0.133324] }
[joints]
j1 = { revolute = ["ground", "b1"], at = [-0.023899525239243435, 0.48299028996757265] }
j2 = { revolute = ["b1", "b2"], at = [-0.5977301648225579, -0.3579425751664433] }
j3 = { revolute = ["b2", "b3"], at = [-1.2256734625089853, -0.596335114435029] }
j4 = { revolute = ["b3", "b4"], at = [-0.797967323368631, -0.48790193808131915] }
j5 = { prismatic = ["b4", "b5"], at = [-1.003400648156423, -0.7049662543702989], axis = [0.7257338830106494, 0.687975530851414] }
j6 = { revolute = ["b1", "b3"], at = [-1.22680006634583, -0.788481419176634] }
j7 = { revolute = ["ground", "b3"], at = [-1.2656196604098664, -0.7582639778039119] }
j8 = { prismatic = ["b5", "b1"], at = [-0.14603540923858702, 0.2860093661560358], axis = [-0.7064095838763204, -0.7078032917468553] }
[initial]
j1.rate = { value = 2.968, weight = 1 }
j2.rate = { value = -3.189, weight = 1 }
j6.rate = { value = -2.498, weight = 1 }
j7.rate = { value = 2.678, weight = 1 }
j8.rate = { value = -0.2137, weight = 1 }
[simulate]
until = 0.35
)toml",
                        {{"hamiltonian", "projection", "arkode", true}, {"quasivelocity", "none", "dopri5", true}}};

// Two hinges on one line but for their rounding, beside a ball: the order of elimination kept a row at 3e-5 of its
// length from the others, behind which round-off counted as a row of its own. Reactions "of least norm" were any.
const Found kHidden{"round_off_hidden_behind_a_poor_choice",
                    R"toml(
linkwork = 1
space = "spatial"
gravity = [0, 0, -9.81]
[bodies]
b1 = { position = [-0.254, 0.01454, -0.5282], rotation = { axis = [0.4242, -0.4403, 0.7913], angle = 1.36 }, mass = 2.605, inertia = [0.002496, 0.02277, 0.02162], com = [0.09717, -0.07329, 0.00872] }
b2 = { position = [-0.4461, 0.3641, -0.6894], rotation = { axis = [0.7509, 0.5752, 0.3244], angle = 1.421 }, mass = 1.996, inertia = [0.02505, 0.02264, 0.03157], com = [0.01736, -0.1729, 0.01057] }
[joints]
j1 = { point_line = ["ground", "b1"], at = [0.04265, -0.07102, -0.4083], axis = [-0.8545, 0.2234, 0.469] }
j2 = { spherical = ["b1", "b2"], at = [-0.2128, 0.3488, -0.5398] }
j3 = { revolute = ["b2", "b1"], at = [-0.09627, 0.1692, -0.1025], axis = [0.7661, 0.1407, -0.6271] }
j4 = { revolute = ["b2", "b1"], at = [0.354, 0.2518, -0.471], axis = [0.7661, 0.1407, -0.6271] }
[loads]
l1 = { actuator = "j4", torque = "0.7814*tanh(1.934*t^2) - 0.2*j4.rate" }
l2 = { actuator = "j3", torque = "1.234*sin(10.6*t)" }
[initial]
j4.rate = { value = 3.946, weight = 1 }
[simulate]
until = 0.91
)toml",
                    {{"recursive", "partitioning", "dopri5", false}}};

class FoundBefore : public ::testing::TestWithParam<Found> {};

TEST_P(FoundBefore, IsMended) {
  const Examination seen = examine(GetParam().text, GetParam().trials, Draws(1, 1));
  EXPECT_EQ(seen.refused, "");
  for (const Finding& finding : seen.findings) {
    // Whether a lamp over an energy that is hardly there is red is asked elsewhere.
    if (finding.fault != Fault::false_alarm)
      ADD_FAILURE() << wordFor(finding.fault) << " " << finding.trial.label() << ": " << finding.what;
  }
}

INSTANTIATE_TEST_SUITE_P(Models, FoundBefore,
                         ::testing::Values(kLocked, kSwings, kRigid, kWishes, kBesideLowerRank, kDrawnTaut,
                                           kHangsFromABridge, kJumps, kPrescribed, kTurned, kNearMiss, kOtherRows,
                                           kNotRounded, kHidden),
                         [](const auto& found) { return found.param.name; });

}  // namespace found_test
}  // namespace linkwork::random_mechanisms
